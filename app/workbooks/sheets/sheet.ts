import type { Words, ColumnKey, SheetKey } from '#workbooks/words/words'
import {
  narrowest,
  type Cell,
  type CellKind,
  type CellValue,
  type ColumnSpec,
  type FormulaCell,
  type Paint,
  type SheetSpec,
} from '#spreadsheets/workbook'

export interface DataColumn extends Omit<ColumnSpec, 'key' | 'heading' | 'kind' | 'choices'> {
  key: ColumnKey
  kind: CellKind
  /** What the partner API calls it. */
  api?: string
  /** Differs between languages, so it is no part of the data's hash. */
  isTranslated?: boolean
  /** May change after a statement was issued, so that it is no part of what the statement is proved by. */
  isMutable?: boolean
  /** For the partner to fill in. */
  isAnswer?: boolean
  choices?: (words: Words) => readonly string[]
  /** A link to another sheet, of a column of the kind `formula`: it is no data. */
  link?: (row: DataRow, words: Words) => FormulaCell | null
}

export type DataRow = Record<string, CellValue>

/** A sheet of rows: what the database gives under the columns' keys is what stands in the cells. */
export interface DataSheet {
  key: SheetKey
  columns: readonly DataColumn[]
  /** Rows without their order, after the tables of `scope_sql.ts`. */
  sql: string
  order: string
  /** What names a row among its sheet's: rows that somebody has sorted are found again by it. */
  rowKey: ColumnKey
  frozenColumns?: number
  /** Only so many columns from the left are printed. */
  printedColumns?: number
  paints?: (limits: PaintLimits) => readonly Paint[]
  /** Depends as a whole on how cases are judged, not on what has moved. */
  isMutable?: boolean
  /** Whether a row belongs to what a statement has frozen. By default each does. */
  isFrozen?: (row: DataRow) => boolean
  /** Adds what is said in words. */
  say?: (row: DataRow, words: Words) => DataRow
}

export interface PaintLimits {
  /** Within so many days evidence of a refund is expected. */
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

/** Columns of which a sheet has a sum, for the totals of the whole. */
export const isSummed = ({ kind, name }: DataColumn) => kind === 'tenge' && name !== undefined

/** How many rows there are, and the sum of each column that has one: after the tables of `scope_sql.ts`. */
export function totalsSql({ columns, sql }: DataSheet) {
  const sums = columns
    .filter(isSummed)
    .map(({ key, name }) => `coalesce(sum("${key}"), 0)::bigint AS ${name}`)
  return `SELECT ${['count(*)::bigint AS rows', ...sums].join(', ')} FROM (${sql}) all_rows`
}

export const rowsSql = ({ sql, order }: DataSheet) =>
  `SELECT * FROM (${sql}) all_rows ORDER BY ${order}`

/** What Excel still opens in a reasonable time; more goes on in further files. */
export const ROWS_PER_SHEET = 200_000
export const MAX_ROWS = 1_000_000
/** Of a sheet. What is asked for in smaller parts than that has larger ones: a file that is checked may claim anything. */
export const MOST_PARTS = 100

export function specOf(
  { key, columns, frozenColumns, printedColumns, paints }: DataSheet,
  words: Words,
  footer: SheetSpec['footer'],
  limits: PaintLimits
): SheetSpec {
  return {
    name: words.sheets[key],
    columns: columns.map(({ choices, isAnswer, ...rest }) => ({
      ...rest,
      heading: words.columns[rest.key],
      width: Math.max(rest.width, narrowest(words.columns[rest.key])),
      choices: choices?.(words),
      isOpen: isAnswer,
    })),
    frozenColumns,
    printedColumns,
    footer,
    maxRows: MAX_ROWS,
    paints: paints?.(limits),
  }
}

/** What stands in the cells of a row. */
export const cellsOf = (
  { columns }: DataSheet,
  row: DataRow,
  words: Words,
  hasLinks: boolean
): Cell[] =>
  columns.map(({ key, link }) => (link ? (hasLinks ? link(row, words) : null) : row[key]))

export type SolidColumn = DataColumn & { kind: Exclude<CellKind, 'formula'> }

/** The columns that hold data, without links. */
export const solidColumns = ({ columns }: DataSheet) =>
  columns.filter((one): one is SolidColumn => one.kind !== 'formula')
