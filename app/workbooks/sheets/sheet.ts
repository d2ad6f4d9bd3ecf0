import type { Words, ColumnKey, SheetKey } from '#workbooks/words/words'
import {
  minColumnWidth,
  type Cell,
  type CellKind,
  type CellValue,
  type ColumnSpec,
  type FormulaCell,
  type ConditionalFill,
  type SheetSpec,
} from '#spreadsheets/workbook'

export interface DataColumn extends Omit<ColumnSpec, 'key' | 'heading' | 'kind' | 'choices'> {
  key: ColumnKey
  kind: CellKind
  /** The field's name in the partner API. */
  api?: string
  /** Differs between languages, so the data's hash leaves it out. */
  isTranslated?: boolean
  /** May change after a statement was issued, so the statement's hash leaves it out. */
  isMutable?: boolean
  /** For the partner to fill in. */
  isAnswer?: boolean
  choices?: (words: Words) => readonly string[]
  /** For columns of the kind `formula`: a link to another sheet, which is no data. */
  link?: (row: DataRow, words: Words) => FormulaCell | null
}

export type DataRow = Record<string, CellValue>

/** A sheet of rows. Its query returns one field per column, under the column's key. */
export interface DataSheet {
  key: SheetKey
  columns: readonly DataColumn[]
  /** The query of the rows, without ORDER BY; it may read the CTEs of `scope_sql.ts`. */
  sql: string
  /** The column that identifies a row, also after somebody has sorted the sheet. */
  rowKey: ColumnKey
  frozenColumns?: number
  /** How many columns from the left are printed; all by default. */
  printedColumns?: number
  conditionalFills?: (limits: FillLimits) => readonly ConditionalFill[]
  /** The whole sheet depends on how cases are judged, not on movements. */
  isMutable?: boolean
  /** Whether a statement fixes this row; by default it fixes all. */
  isFrozen?: (row: DataRow) => boolean
  /** Adds the texts of the workbook's language. */
  withTexts?: (row: DataRow, words: Words) => DataRow
}

export interface FillLimits {
  /** Days within which the partner must prove a refund. */
  refundDays: number
}

export const RED_FILL = 'FFC7CE'
export const AMBER_FILL = 'FFEB9C'
export const GREY_FILL = 'E7E9ED'

type More = Omit<DataColumn, 'key' | 'kind' | 'width'>

export const column = (
  key: ColumnKey,
  kind: DataColumn['kind'],
  width: number,
  more: More = {}
): DataColumn => ({ key, kind, width, ...more })

/** Whether the totals of the workbook need the column's sum. */
export const isSummed = ({ kind, name }: DataColumn) => kind === 'tenge' && name !== undefined

/** The query of a sheet's row count and column sums, to follow the CTEs of `scope_sql.ts`. */
export function totalsSql({ columns, sql }: DataSheet) {
  const sums = columns
    .filter(isSummed)
    .map(({ key, name }) => `coalesce(sum("${key}"), 0)::bigint AS ${name}`)
  return `SELECT ${['count(*)::bigint AS rows', ...sums].join(', ')} FROM (${sql}) all_rows`
}

/** The query of a sheet's rows in the order of their numbers, to follow the CTEs of `scope_sql.ts`. */
export const rowsSql = ({ sql }: DataSheet) => `SELECT * FROM (${sql}) all_rows ORDER BY no`

/** Excel opens this many rows in reasonable time; further rows go to further files. */
export const ROWS_PER_SHEET = 200_000
export const MAX_ROWS = 1_000_000
/** The most files of one sheet; rows per file grow to keep it, because a checked file may claim any number of rows. */
export const MAX_PARTS = 100

/** A sheet's layout in one language. */
export function sheetSpec(
  { key, columns, frozenColumns, printedColumns, conditionalFills }: DataSheet,
  words: Words,
  footer: SheetSpec['footer'],
  limits: FillLimits
): SheetSpec {
  return {
    name: words.sheets[key],
    columns: columns.map(({ choices, isAnswer, ...rest }) => ({
      ...rest,
      heading: words.columns[rest.key],
      width: Math.max(rest.width, minColumnWidth(words.columns[rest.key])),
      choices: choices?.(words),
      isUnlocked: isAnswer,
    })),
    frozenColumns,
    printedColumns,
    footer,
    maxRows: MAX_ROWS,
    conditionalFills: conditionalFills?.(limits),
  }
}

/** A row's cells; without links where their targets may be in another file. */
export const rowCells = (
  { columns }: DataSheet,
  row: DataRow,
  words: Words,
  hasLinks: boolean
): Cell[] =>
  columns.map(({ key, link }) => (link ? (hasLinks ? link(row, words) : null) : row[key]))

export type ValueColumn = DataColumn & { kind: Exclude<CellKind, 'formula'> }

/** The columns that hold data, without links. */
export const valueColumns = ({ columns }: DataSheet) =>
  columns.filter((one): one is ValueColumn => one.kind !== 'formula')
