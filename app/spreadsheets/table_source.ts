/** A cell as the file has it, without any guess. `null` is an empty cell. */
export type RawCell = string | number | boolean | Date | null

export interface RawRow {
  /** 1-based: the row of the sheet, or the line of the file where the row begins. */
  line: number
  /** Without empty cells at the end. */
  cells: RawCell[]
}

export interface TableSource {
  format: 'xlsx' | 'csv'
  /** The name of the sheet; null for a CSV file. */
  sheet: string | null
  /** The encoding of a CSV file; null for a workbook. */
  encoding: string | null
  /** Read once and on demand; leaving the loop stops reading. Empty rows are left out. */
  rows: AsyncIterable<RawRow>
}

export interface TableLimits {
  /** Size of the file. */
  bytes: number
  /** Rows that have a value. */
  rows: number
  columns: number
  /** UTF-16 units in one cell. */
  cellLetters: number
  /** UTF-16 units in all cells of a row. */
  rowLetters: number
  /** All parts of a workbook together, unpacked; and all its cells together, which may share one long text. */
  inflatedBytes: number
  /** How many times larger than its packed size a part over 10 MB may be. */
  inflationRatio: number
}

export const DEFAULT_LIMITS: Readonly<TableLimits> = {
  bytes: 20 * 1024 * 1024,
  // 200,000 of data, and titles, headings and totals around them.
  rows: 200_100,
  columns: 100,
  cellLetters: 32_767,
  rowLetters: 65_536,
  inflatedBytes: 500 * 1024 * 1024,
  inflationRatio: 100,
}
