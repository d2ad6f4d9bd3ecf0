import type { DeclaredTotals } from '#register_reading/declared_totals'
import type { RowReading } from '#register_reading/row_reading'

export const ROWS_ARE = ['as_stated', 'refunds'] as const
/** What rows of a part are that do not say it: a sheet «Возвраты» may have plain sums without a word in each row. */
export type RowsAre = (typeof ROWS_ARE)[number]

/** A sheet or file of a register: several make one register, and its lines are numbered on through all of them. */
export interface PartShape {
  number: number
  /** Line of the header in it; 0 for none. */
  headerLine: number
  /** For each column of the register its column in the part; null where they stand in the same order. */
  columnOrder: readonly number[] | null
  rowsAre: RowsAre
  /** The line of the register that its first row has; null to follow the lines that were given so far. */
  firstLine: number | null
  /** What a person has typed about this part. */
  declared: Partial<DeclaredTotals>
}

/** A register that is one sheet or file. */
export const onlyPart = (headerLine: number): PartShape => ({
  number: 1,
  headerLine,
  columnOrder: null,
  rowsAre: 'as_stated',
  firstLine: 1,
  declared: {},
})

/** How the rows of a part are read, as all of its register or as refunds. */
export const readingOfPart = (reading: RowReading, rowsAre: RowsAre): RowReading =>
  rowsAre === 'refunds' ? { ...reading, rowsShow: 'operations', unstatedKind: 'refund' } : reading
