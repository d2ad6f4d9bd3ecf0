/**
 * What a column holds. `tenge` and `count` are whole numbers, `percent` is a share (0.12 is 12 %), `moment` and
 * `date` are instants shown in UTC+5, `flag` is 1 or 0 so that it can be summed, `id` is text that must never
 * become a number, `formula` is what `formula()` or `linkTo()` made.
 */
export type CellKind =
  'text' | 'id' | 'tenge' | 'count' | 'moment' | 'date' | 'percent' | 'flag' | 'formula'

export type CellValue = string | number | bigint | boolean | Date | null | undefined

/** A formula in English without `=`, and its result, which a downloaded file shows until Excel calculates. */
export interface FormulaCell {
  formula: string
  result: Exclude<CellValue, null | undefined>
}

export type CellStyle = 'title' | 'strong' | 'muted' | 'heading' | 'figureHeading' | 'fact' | 'link'

/** A cell that states its own kind, as on a page of totals. */
export interface CellAs {
  as: CellKind
  value: CellValue | FormulaCell
  look?: CellStyle
}

export type Cell = CellValue | FormulaCell | CellAs

export interface ColumnSpec {
  key: string
  heading: string
  /** In characters of the default font. */
  width: number
  kind: CellKind
  /** A number format instead of the kind's own, in US notation: Excel shows it as the reader's country does. */
  format?: string
  wrap?: boolean
  /** Whether the cells can be edited although the sheet is protected. */
  isUnlocked?: boolean
  /** Choices of a drop-down list, for every row. Together at most 255 letters. */
  choices?: readonly string[]
  /** Fill colours by cell text: `{ HIGH: 'FFC7CE' }`. */
  fills?: Readonly<Record<string, string>>
  /** Shows negative numbers in red. */
  redNegative?: boolean
  /** A defined name for the column's rows, for formulas. */
  definedName?: string
}

/** A conditional format: fills cells of a row while a formula over its columns is true, such as `{late}=1`. */
export interface ConditionalFill {
  when: string
  /** `RRGGBB`. */
  fill: string
  /** Keys of the columns to fill; adjacent columns become one range. */
  columns: readonly string[]
}

/** Texts at the head or foot of every printed page; `{page}` and `{pages}` are numbered. Together at most 255 letters. */
export interface PageTexts {
  left?: string
  centre?: string
  right?: string
}

export interface SheetSpec {
  /** At most 31 letters, without `* ? : / \ [ ] '`. */
  name: string
  columns: readonly ColumnSpec[]
  /** Row 1 of headings, frozen and filterable. On by default; a page of totals has none. */
  hasHeader?: boolean
  /** How many columns from the left stay in view while one scrolls: Excel's frozen panes. */
  paneColumns?: number
  isProtected?: boolean
  /** `RRGGBB`. */
  tabColor?: string
  /** Printed on one page; for short sheets. */
  isOnePage?: boolean
  conditionalFills?: readonly ConditionalFill[]
  /** How many columns from the left are printed, so that the print stays readable. All columns with a value by default. */
  printedColumns?: number
  /** The printed head is in no cell, so that the first row stays the row of headings. */
  header?: PageTexts
  footer?: PageTexts
  /** Rows of data at most; beyond it the row is refused. */
  maxRows?: number
}

export interface WorkbookProperties {
  title: string
  subject?: string
  creator: string
  keywords?: string
  created?: Date
}

/** The caller's mistake: a workbook that cannot be written. The message names the sheet, and the column and row if any. */
export class UnwritableWorkbook extends Error {
  override readonly name = 'UnwritableWorkbook'
}
