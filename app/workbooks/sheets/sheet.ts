import type { Words, ColumnKey, DataSheetKey } from '#workbooks/words/words'
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

/**
 * Which of the workbook's two hashes covers a column: that of fixed data, which a statement never changes, or that of
 * changeable data. `never`: a text that differs between languages, or a link. See `proof.ts`.
 */
export type Hashed = 'fixed' | 'changeable' | 'never'

export interface DataColumn extends Omit<ColumnSpec, 'key' | 'heading' | 'kind' | 'choices'> {
  key: ColumnKey
  kind: CellKind
  hashed: Hashed
  /** The field's name in the partner API. */
  api?: string
  /** For the partner to fill in. */
  isFilledInByPartner?: boolean
  /** Whether the totals of the workbook need the column's sum; it then has a defined name too. */
  isSummed?: boolean
  choices?: (words: Words) => readonly string[]
  /** The column whose codes it has in words. */
  wordsFor?: ColumnKey
  /** The words of those codes. */
  wordsOf?: (words: Words) => Readonly<Record<string, string>>
  /** For columns of the kind `formula`: a link to another sheet, which is no data. */
  link?: (row: DataRow, words: Words) => FormulaCell | null
}

/** The first column of every sheet; its defined name is for the count of rows. */
export interface RowNumberColumn extends DataColumn {
  key: 'no'
  definedName: string
}

export type DataRow = Record<string, CellValue>

/** A sheet of rows. Its query returns one field per column, under the column's key. */
export interface DataSheet {
  key: DataSheetKey
  columns: readonly [RowNumberColumn, ...DataColumn[]]
  /** The query of the rows, without ORDER BY; it may read the CTEs of `scope_sql.ts`. */
  sql: string
  /** The column that identifies a row, also after somebody has sorted the sheet. */
  rowKey: ColumnKey
  /** `changeable`: the whole sheet depends on how cases are judged, not on movements. */
  hashed: 'fixed' | 'changeable'
  /** Whether a statement fixes this row of a fixed sheet; by default it fixes all. */
  isFixed?: (row: DataRow) => boolean
  /** The column whose sum each file of a document states. */
  partSum?: ColumnKey
  /** How many columns from the left stay in view. */
  paneColumns?: number
  /** How many columns from the left are printed; all by default. */
  printedColumns?: number
  conditionalFills?: (limits: FillLimits) => readonly ConditionalFill[]
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

type ValueKind = Exclude<CellKind, 'formula'>
type ColumnOptions = Omit<DataColumn, 'key' | 'kind' | 'width' | 'hashed'>

const columnMaker =
  (hashed: Hashed, always: ColumnOptions = {}) =>
  (key: ColumnKey, kind: ValueKind, width: number, options: ColumnOptions = {}): DataColumn => ({
    key,
    kind,
    width,
    hashed,
    ...always,
    ...options,
  })

/** Data that a statement fixes; in a changeable sheet there is none. */
export const fixedColumn = columnMaker('fixed')
/** Data that may change after a statement was issued. */
export const changeableColumn = columnMaker('changeable')
/** A text that differs between languages. */
export const translatedColumn = columnMaker('never')
/**
 * A printed column with the words of the codes in another column, which formulas and programs read and which is to the right of
 * the print. The code itself where it has no word.
 */
export const wordsColumn = (
  key: ColumnKey,
  wordsFor: ColumnKey,
  width: number,
  wordsOf: NonNullable<DataColumn['wordsOf']>,
  options: ColumnOptions = {}
) => translatedColumn(key, 'text', width, { ...options, wordsFor, wordsOf })
/** A column for the partner to fill in. */
export const answerColumn = columnMaker('changeable', { isFilledInByPartner: true })

/** The numbers of the rows, in the order of the query; changeable where rows of later cases may come between. */
export const rowNumber = (
  definedName: string,
  hashed: 'fixed' | 'changeable'
): RowNumberColumn => ({ key: 'no', kind: 'count', width: 10, hashed, definedName })

/** Links to another sheet of the workbook. */
export const linkColumn = (
  key: ColumnKey,
  width: number,
  link: NonNullable<DataColumn['link']>
): DataColumn => ({ key, kind: 'formula', width, hashed: 'never', link })

/** The name of a column in formulas. Throws for a column without one. */
export function definedNameOf({ key, columns }: DataSheet, column: ColumnKey): string {
  const definedName = columns.find((one) => one.key === column)?.definedName
  if (!definedName) throw new Error(`The column ${column} of ${key} has no defined name`)
  return definedName
}

/** The query of a sheet's row count and column sums, by the columns' keys; to follow the CTEs of `scope_sql.ts`. */
export function totalsSql({ columns, sql }: DataSheet) {
  const sums = columns
    .filter(({ isSummed }) => isSummed)
    .map(({ key }) => `coalesce(sum("${key}"), 0)::bigint AS "${key}"`)
  return `SELECT ${['count(*)::bigint AS rows', ...sums].join(', ')} FROM (${sql}) all_rows`
}

/** The query of a sheet's rows in the order of their numbers, to follow the CTEs of `scope_sql.ts`. */
export const rowsSql = ({ sql }: DataSheet) => `SELECT * FROM (${sql}) all_rows ORDER BY no`

/** Excel opens this many rows in reasonable time; further rows go to further files. */
export const ROWS_PER_SHEET = 200_000
export const MAX_ROWS = 1_000_000
/** The most files of one sheet; rows per file grow to keep it, because a checked file may state any number of rows per file. */
export const MAX_PARTS = 100

/** The head and foot of the printed pages of a sheet. */
export type PrintedTexts = Pick<SheetSpec, 'header' | 'footer'>

/** A sheet's layout in one language. */
export function sheetSpec(
  { key, columns, paneColumns, printedColumns, conditionalFills }: DataSheet,
  words: Words,
  { header, footer }: PrintedTexts,
  limits: FillLimits
): SheetSpec {
  return {
    name: words.sheets[key],
    columns: columns.map(({ choices, isFilledInByPartner, ...rest }) => ({
      ...rest,
      heading: words.columns[rest.key],
      width: Math.max(rest.width, minColumnWidth(words.columns[rest.key])),
      choices: choices?.(words),
      isUnlocked: isFilledInByPartner,
    })),
    paneColumns,
    printedColumns,
    header,
    footer,
    maxRows: MAX_ROWS,
    conditionalFills: conditionalFills?.(limits),
  }
}

/** A row with the texts of the workbook's language. */
export function rowInWords({ columns, withTexts }: DataSheet, row: DataRow, words: Words): DataRow {
  const texts: DataRow = {}
  for (const { key, wordsFor, wordsOf } of columns)
    if (wordsFor && wordsOf) texts[key] = inWords(row[wordsFor], wordsOf(words))
  return { ...(withTexts?.(row, words) ?? row), ...texts }
}

/** `REFUND` → the word of `REFUND` or of `refund`; of several codes the words of each. */
function inWords(codes: CellValue, words: Readonly<Record<string, string>>) {
  if (typeof codes !== 'string') return null
  return codes
    .split(' ')
    .map((code) => words[code] ?? words[code.toLowerCase()] ?? code)
    .join('; ')
}

/** A row's cells; without links where their targets may be in another file. */
export const rowCells = (
  { columns }: DataSheet,
  row: DataRow,
  words: Words,
  hasLinks: boolean
): Cell[] =>
  columns.map(({ key, link }) => (link ? (hasLinks ? link(row, words) : null) : row[key]))

export type ValueColumn = DataColumn & { kind: ValueKind }

/** The columns that hold data, without links. */
export const valueColumns = ({ columns }: DataSheet) =>
  columns.filter((one): one is ValueColumn => one.kind !== 'formula')
