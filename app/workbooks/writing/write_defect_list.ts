import { checkInTurn } from '#defects/cases/check_period'
import { readOpenCasesOfPeriod, type OpenCases } from '#defects/cases/open_cases_of_period'
import { findTermsAt } from '#ledger/terms'
import { dayFirst, pageNumbers, periodText } from '#workbooks/document/document'
import { findScope, type WorkbookScope } from '#workbooks/document/find_scope'
import { scopeSql } from '#workbooks/sheets/scope_sql'
import {
  valueColumns,
  rowInWords,
  rowsSql,
  sheetSpec,
  type DataRow,
  type DataSheet,
  type FillLimits,
} from '#workbooks/sheets/sheet'
import { attempts } from '#workbooks/sheets/attempts'
import { defects } from '#workbooks/sheets/defects'
import { WORDS, type Words } from '#workbooks/words/words'
import type { WriteWorkbookInput } from '#workbooks/writing/workbook_writer'
import { createWorkbook, type Workbook } from '#spreadsheets/workbook'
import type { BackgroundThrottle } from '#shared/background_throttle'
import { localDay, localTime } from '#shared/days'
import { allowLongQueries } from '#shared/long_queries'
import { statement } from '#shared/statement'
import { streamRows } from '#shared/stream_rows'
import { transaction } from '#shared/transaction'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

type WriteDefectListInput = Omit<WriteWorkbookInput, 'hasDataCopies' | 'rowsPerSheet'>

export interface WrittenDefectList {
  path: string
  /** When its snapshot was read. */
  readAt: Date
  /** Of each sheet. */
  rows: Record<string, number>
  openCases: OpenCases
}

/** Writes the defects, judged again, and the attempts as a workbook of two sheets. */
export async function writeDefectList(input: WriteDefectListInput): Promise<WrittenDefectList> {
  const { signal, throttle, language, onProgress } = input
  const scope = await findScope(input.partnerCode, input.scope, language)
  const { partner, from, to } = scope
  await checkInTurn({ partnerId: partner.id, from, to, signal })
  const words = WORDS[language]
  return transaction(async (trx) => {
    await trx.rawQuery('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY')
    await allowLongQueries(trx)
    const { readAt } = await selectMoment.one({}, trx)
    const path = typeof input.path === 'string' ? input.path : input.path(readAt)
    const properties = {
      title: words.sheets.defects,
      subject: partner.name,
      creator: words.platform,
    }
    const onSheetProgress = ({ sheet, rows }: { sheet: string; rows: number }) =>
      onProgress?.({ sheet, rowsDone: rows, rowsTotal: 0 })
    await using book = createWorkbook(path, properties, { signal, onProgress: onSheetProgress })
    const terms = await findTermsAt.one({ partnerId: partner.id, at: from }, trx)
    const limits = { refundDays: terms.refundEvidenceDays }
    const rows: Record<string, number> = {}
    for (const sheet of [withoutLinks(defects), withoutLinks(attempts)])
      rows[sheet.key] = await writeRows(book, sheet, {
        scope,
        words,
        limits,
        readAt,
        throttle,
        trx,
      })
    await book.finish()
    return {
      path,
      readAt,
      rows,
      openCases: await readOpenCasesOfPeriod({ partnerId: partner.id, from, to }, trx),
    }
  }, signal)
}

/** The moment of the transaction, which is that of its snapshot. */
const selectMoment = statement<{ readAt: Date }, object>(
  'defect_list_moment',
  'SELECT now() AS "readAt"'
)

/** A sheet without links, because their targets are not in this workbook. */
const withoutLinks = (sheet: DataSheet): DataSheet => {
  const [rowNumber] = sheet.columns
  return { ...sheet, columns: [rowNumber, ...valueColumns(sheet).slice(1)] }
}

interface Source {
  scope: WorkbookScope
  words: Words
  limits: FillLimits
  readAt: Date
  throttle?: BackgroundThrottle
  trx: TransactionClientContract
}

async function writeRows(
  book: Workbook,
  sheet: DataSheet,
  { scope, words, limits, readAt, throttle, trx }: Source
) {
  const header = {
    left: words.sheets[sheet.key],
    centre: scope.partner.code,
    right: periodText(scope, words),
  }
  const moment = `${dayFirst(localDay(readAt))} ${localTime(readAt)}`
  const footer = { left: `${words.asOf}: ${moment}`, right: pageNumbers(words) }
  const target = await book.sheet(sheetSpec(sheet, words, { header, footer }, limits))
  const sql = `${scopeSql(false)} ${rowsSql(sheet)}`
  let written = 0
  for await (const raw of streamRows<DataRow>(sql, scope.params, trx)) {
    const row = rowInWords(sheet, raw, words)
    await target.row(sheet.columns.map(({ key }) => row[key]))
    written++
    const pause = throttle?.pause()
    if (pause) await pause
  }
  await target.close()
  return written
}
