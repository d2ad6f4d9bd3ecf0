import type { Words, ColumnKey, SheetKey } from '#settlement/workbook/words/words'
import type { CellKind, CellValue, ColumnSpec, SheetSpec } from '#spreadsheets/workbook'

export interface DataColumn extends Omit<ColumnSpec, 'key' | 'heading' | 'kind' | 'choices'> {
  key: ColumnKey
  kind: Exclude<CellKind, 'formula'>
  /** What the partner API calls it. */
  api?: string
  /** Differs between languages, so it is no part of the data's hash. */
  isTranslated?: boolean
  choices?: (words: Words) => readonly string[]
}

export type DataRow = Record<string, CellValue>

/** A sheet of rows: what the database gives under the columns' keys is what stands in the cells. */
export interface DataSheet {
  key: SheetKey
  columns: readonly DataColumn[]
  /** Rows without their order, after the tables of `scope_sql.ts`. */
  sql: string
  order: string
  frozenColumns?: number
  /** Adds what is said in words. */
  say?: (row: DataRow, words: Words) => DataRow
}

type More = Omit<DataColumn, 'key' | 'kind' | 'width'>

export const column = (
  key: ColumnKey,
  kind: DataColumn['kind'],
  width: number,
  more: More = {}
): DataColumn => ({ key, kind, width, ...more })

/** Columns of which a sheet has a sum, for the totals of the whole. */
export const isSummed = ({ kind, name }: DataColumn) => kind === 'tenge' && name !== undefined

/** More than this is for several workbooks. */
export const MAX_ROWS = 1_000_000

export function specOf(
  { key, columns, frozenColumns }: DataSheet,
  words: Words,
  footer: SheetSpec['footer']
): SheetSpec {
  return {
    name: words.sheets[key],
    columns: columns.map(({ choices, ...rest }) => ({
      ...rest,
      heading: words.columns[rest.key],
      choices: choices?.(words),
    })),
    ...{ frozenColumns, footer, maxRows: MAX_ROWS },
  }
}
