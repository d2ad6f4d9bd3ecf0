import { placedSum, SheetSum } from '#workbooks/proof/multiset_hash'
import { cellAs, linkTo } from '#spreadsheets/cells'
import { shownCell } from '#spreadsheets/shown_value'
import type {
  Cell,
  CellKind,
  CellValue,
  FormulaCell,
  Look,
  OpenSheet,
  ColumnSpec,
} from '#spreadsheets/workbook'

/** A sheet that is read from top to bottom instead of row by row. */
export class Page {
  #row = 0
  readonly #sum = new SheetSum()

  /** `ours`: how many columns from the left are not for others to fill in. */
  constructor(
    readonly sheet: OpenSheet,
    private readonly ours = Infinity
  ) {}

  /** Of all that it says. */
  get sum() {
    return this.#sum.hex
  }

  /** The row that comes next, for formulas. */
  get next() {
    return this.#row + 1
  }

  /** Writes a line and tells its number. */
  async line(...cells: Cell[]) {
    this.#row += 1
    const sum = placedSum(this.#row, cells.slice(0, this.ours).map(shownCell))
    if (sum) this.#sum.add(sum)
    await this.sheet.row(cells)
    return this.#row
  }

  async heading(...texts: string[]) {
    return this.line(...texts.map((text) => cellAs('text', text, 'heading')))
  }

  /** Headings; those of figures, from one column to another, stand at the right as the figures do. */
  async figures([from, to]: readonly [number, number], ...texts: string[]) {
    const look = (index: number) => (index >= from && index <= to ? 'figureHeading' : 'heading')
    return this.line(...texts.map((text, index) => cellAs('text', text, look(index))))
  }

  async gap() {
    return this.line()
  }
}

export const text = (value: string | null, look?: Look) => cellAs('text', value, look)
export const label = (value: string) => cellAs('text', value, 'muted')
export const tenge = (value: CellValue | FormulaCell, look?: Look) => cellAs('tenge', value, look)
export const count = (value: CellValue | FormulaCell, look?: Look) => cellAs('count', value, look)
export const moment = (value: Date) => cellAs('moment', value, 'fact')
export const as = (kind: CellKind, value: CellValue | FormulaCell) => cellAs(kind, value)
export const link = (sheet: string) => cellAs('formula', linkTo(sheet, 'A1', sheet), 'link')

/** Columns of a page by their widths: what stands in a cell says itself what it is. */
export const columnsOfPage = (
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
