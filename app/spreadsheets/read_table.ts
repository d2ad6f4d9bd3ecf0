import { readCsv } from '#spreadsheets/reading/csv_table'
import { sniff } from '#spreadsheets/reading/file_kind'
import { Workbook } from '#spreadsheets/reading/workbook_table'
import {
  DEFAULT_LIMITS,
  type RawRow,
  type TableLimits,
  type TableSource,
} from '#spreadsheets/table_source'
import { UnreadableTable } from '#spreadsheets/unreadable_table'

export { DEFAULT_LIMITS } from '#spreadsheets/table_source'
export type { RawCell, RawRow, TableLimits, TableSource } from '#spreadsheets/table_source'
export { UnreadableTable, type Place, type Problem } from '#spreadsheets/unreadable_table'

export interface ReadOptions {
  /** By default the first sheet that is not hidden. */
  sheet?: string
}

/** A file of tables: the sheets of a workbook, or the one table of a CSV file. */
export interface TableFile {
  /** The sheets that are not hidden; none for a CSV file. */
  sheets: string[]
  read(options?: ReadOptions): Promise<TableSource>
}

/**
 * Opens a file from outside: .xlsx or CSV, recognised by its content and never by its name. Throws `UnreadableTable`, here or
 * while rows are read; the file must stay until then.
 */
export async function openTables(
  path: string,
  limits: Partial<TableLimits> = {}
): Promise<TableFile> {
  const caps = { ...DEFAULT_LIMITS, ...limits }
  const isWorkbook = (await sniff(path, caps.bytes)) === 'zip'
  const workbook = isWorkbook ? await Workbook.open(path, caps) : null
  return {
    sheets: workbook?.sheets ?? [],
    read: async ({ sheet } = {}) => {
      const source = workbook ? await workbook.read(sheet) : await readCsv(path, caps)
      return { ...source, rows: capped(source.rows, caps) }
    },
  }
}

/**
 * Opens one table of a file.
 *
 * A date cell becomes a `Date` whose UTC parts are the wall clock of the cell: a spreadsheet knows no zones, so the
 * caller subtracts its own offset. Formulas are not evaluated: the stored result is taken. Cells of a CSV file
 * are always text.
 */
export async function readTable(
  path: string,
  limits: Partial<TableLimits> = {},
  options: ReadOptions = {}
): Promise<TableSource> {
  const file = await openTables(path, limits)
  return file.read(options)
}

/** The sheets of a workbook that are not hidden; none for a CSV file. Throws `UnreadableTable`. */
export async function listSheets(
  path: string,
  limits: Partial<TableLimits> = {}
): Promise<string[]> {
  const { sheets } = await openTables(path, limits)
  return sheets
}

async function* capped(rows: TableSource['rows'], limits: TableLimits): TableSource['rows'] {
  let [count, letters] = [0, 0]
  for await (const row of rows) {
    const { line } = row
    const own = lettersIn(row)
    count += 1
    letters += own
    if (count > limits.rows) throw new UnreadableTable('too_many_rows', { line })
    if (own > limits.rowLetters) throw new UnreadableTable('row_too_long', { line })
    // Many cells of a workbook may share one long text.
    if (letters > limits.inflatedBytes) throw new UnreadableTable('zip_bomb', { line })
    yield row
  }
  if (count === 0) throw new UnreadableTable('empty')
}

const lettersIn = ({ cells }: RawRow) =>
  cells.reduce<number>((sum, cell) => sum + (typeof cell === 'string' ? cell.length : 0), 0)
