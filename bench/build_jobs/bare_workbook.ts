import ExcelJS from 'exceljs'
import pg from 'pg'
import QueryStream from 'pg-query-stream'
import { rowsSql, type DataColumn, type DataRow } from '#workbooks/sheets/sheet'
import type { ExportJob, JobCounts } from './jobs.ts'

const ZONE_MS = 5 * 3_600_000
const BATCH = 2_000
const FORMATS: Partial<Record<DataColumn['kind'], string>> = {
  moment: 'dd.mm.yyyy hh:mm:ss',
  tenge: '#,##0',
  count: '#,##0',
}

/**
 * The export as a first attempt would write it: the rows of the same queries, row after row into exceljs as its manual
 * shows it. No snapshot, no totals, no checks, no hash, no rules.
 */
export async function writeBareWorkbook(job: ExportJob): Promise<JobCounts> {
  const { DATA_SHEETS } = await import('#workbooks/sheets/all')
  const { scopeSql } = await import('#workbooks/sheets/scope_sql')
  const { findScope } = await import('#workbooks/document/find_scope')
  const { WORDS } = await import('#workbooks/words/words')
  const { toPositional, valuesFor } = await import('#shared/named_parameters')
  const { from, to, partnerCode, path } = job
  const range = { from: new Date(from), to: new Date(to) }
  const { params } = await findScope(partnerCode, range, 'ru')
  const database = new pg.Client({ connectionString: process.env.DATABASE_URL })
  database.setTypeParser(pg.types.builtins.INT8, Number)
  await database.connect()

  const book = new ExcelJS.stream.xlsx.WorkbookWriter({ filename: path, useStyles: true })
  const counts: JobCounts = {}
  for (const sheet of DATA_SHEETS) {
    const { key, columns, withTexts } = sheet
    const target = book.addWorksheet(WORDS.ru.sheets[key])
    target.columns = columns.map((column) => headOf(column, WORDS.ru.columns))
    const { text, names } = toPositional(`${scopeSql(false)} ${rowsSql(sheet)}`)
    const rows = database.query(
      new QueryStream(text, valuesFor(names, params), { batchSize: BATCH })
    )
    counts[key] = 0
    for await (const raw of rows) {
      target.addRow(inZone(withTexts?.(raw, WORDS.ru) ?? raw)).commit()
      counts[key]++
    }
    target.commit()
  }
  await book.commit()
  await database.end()
  return counts
}

const headOf = ({ key, width, kind }: DataColumn, headings: Record<string, string>) => {
  const numFmt = FORMATS[kind]
  return { header: headings[key], key, width, ...(numFmt && { style: { numFmt } }) }
}

/** exceljs writes the wall clock of UTC. */
function inZone(row: DataRow) {
  for (const key of Object.keys(row)) {
    const value = row[key]
    if (value instanceof Date) row[key] = new Date(value.getTime() + ZONE_MS)
  }
  return row
}
