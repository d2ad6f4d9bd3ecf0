import { hashLine, MultisetHash } from '#workbooks/proof/multiset_hash'
import { cellAs, linkTo } from '#spreadsheets/cells'
import { shownCell } from '#spreadsheets/shown_value'
import type {
  CellAs,
  CellValue,
  FormulaCell,
  CellStyle,
  OpenSheet,
  ColumnSpec,
} from '#spreadsheets/workbook'

/** A cell of a page states its kind, because the page's hash covers only such cells. */
export type PageCell = CellAs | null

/** A sheet of headings, labels and totals that is read from top to bottom, not a table of rows. */
export class Page {
  #row = 0
  readonly #hash = new MultisetHash()

  /** `ownColumns`: how many columns from the left are ours; the partner fills in the others. */
  constructor(
    readonly sheet: OpenSheet,
    private readonly ownColumns = Infinity
  ) {}

  /** The hash of all lines, with their places. */
  get hash() {
    return this.#hash.hex
  }

  /** The number of the next line, for formulas. */
  get nextRow() {
    return this.#row + 1
  }

  /** Writes a line and returns its number. */
  async line(...cells: PageCell[]) {
    this.#row += 1
    const hash = hashLine(this.#row, cells.slice(0, this.ownColumns).map(shownCell))
    if (hash) this.#hash.add(hash)
    await this.sheet.row(cells)
    return this.#row
  }

  async heading(...texts: string[]) {
    return this.line(...texts.map((text) => cellAs('text', text, 'heading')))
  }

  /** Writes headings; those of the figure columns `from` to `to` are right-aligned. */
  async figureHeadings([from, to]: readonly [number, number], ...texts: string[]) {
    const look = (index: number) => (index >= from && index <= to ? 'figureHeading' : 'heading')
    return this.line(...texts.map((text, index) => cellAs('text', text, look(index))))
  }

  async blankLine() {
    return this.line()
  }
}

export const textCell = (value: string | null, look?: CellStyle) => cellAs('text', value, look)
export const labelCell = (value: string) => cellAs('text', value, 'muted')
export const tengeCell = (value: CellValue | FormulaCell, look?: CellStyle) =>
  cellAs('tenge', value, look)
export const countCell = (value: CellValue | FormulaCell, look?: CellStyle) =>
  cellAs('count', value, look)
export const momentCell = (value: Date) => cellAs('moment', value, 'fact')
export const linkCell = (sheet: string) => cellAs('formula', linkTo(sheet, 'A1', sheet), 'link')

/** A page's columns by their widths; each cell states its own kind. */
export const pageColumns = (
  widths: readonly number[],
  more: readonly Partial<ColumnSpec>[] = []
): ColumnSpec[] =>
  widths.map((width, index) => ({
    key: `c${index}`,
    heading: '',
    width,
    kind: 'text' as const,
    ...more[index],
  }))
