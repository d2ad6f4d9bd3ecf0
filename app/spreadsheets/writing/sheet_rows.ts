import { columnLetters } from '#spreadsheets/cells'
import {
  UnwritableWorkbook,
  type Cell,
  type CellKind,
  type ColumnSpec,
  type CellStyle,
  type SheetSpec,
} from '#spreadsheets/sheet_spec'
import { cellXml, type StyleOf } from '#spreadsheets/writing/cell_xml'
import { UnwritableValue } from '#spreadsheets/writing/cell_numbers'
import {
  beginRows,
  harden,
  type ExcelBook,
  type ExcelSheet,
} from '#spreadsheets/writing/exceljs_parts'
import { assertRange, MAX_SHEET_ROWS } from '#spreadsheets/writing/guards'
import { linesOf, linesOfHeading } from '#spreadsheets/writing/lines'
import { addExtras, ignoredErrorsXml, openingOptions } from '#spreadsheets/writing/sheet_extras'
import type { Styles } from '#spreadsheets/writing/styles'

/** A row by the columns' order or by their keys. */
export type RowCells = readonly Cell[] | Readonly<Record<string, Cell>>

const LINE_POINTS = 15
const MAX_POINTS = 409

/** Rows of one sheet as XML. exceljs builds an object and a style for every cell; ours are typed by their column. */
export class SheetRows {
  readonly sheet: ExcelSheet
  readonly #letters: string[]
  readonly #styleOf: StyleOf[]
  readonly #indexOf: Map<string, number>
  readonly #mayWrap: boolean
  #last = 0
  #lastColumn = 1

  constructor(
    book: ExcelBook,
    private readonly spec: SheetSpec,
    styles: Styles
  ) {
    this.sheet = book.addWorksheet(spec.name, openingOptions(spec))
    harden(this.sheet, () => ignoredErrorsXml(spec, this.dataRows))
    this.sheet.columns = spec.columns.map(({ width }) => ({ width }))
    this.#letters = spec.columns.map((_, index) => columnLetters(index + 1))
    this.#styleOf = spec.columns.map((column) => styleFinder(column, styles))
    this.#indexOf = new Map(spec.columns.map(({ key }, index) => [key, index]))
    // Pages have headings anywhere.
    this.#mayWrap = !this.#hasHeader || spec.columns.some(({ wrap }) => wrap)
    beginRows(this.sheet)
    if (this.#hasHeader) this.#writeHeader()
  }

  /** Rows of data so far. */
  get count() {
    return this.#last - (this.#hasHeader ? 1 : 0)
  }

  get dataRows() {
    const first = this.#hasHeader ? 2 : 1
    return { first, last: Math.max(first, this.#last) }
  }

  add(cells: RowCells) {
    const most = Math.min(this.spec.maxRows ?? MAX_SHEET_ROWS, MAX_SHEET_ROWS)
    const isFull = this.count >= most || this.#last >= MAX_SHEET_ROWS
    if (isFull) throw new UnwritableWorkbook(`«${this.spec.name}» has its ${most} rows`)
    const row = this.#last + 1
    const list = this.#inOrder(cells)
    const xml = this.#cellsXml(list, row)
    this.#last = row
    this.sheet.stream.write(Buffer.from(`<row r="${row}"${this.#height(list)}>${xml}</row>`))
  }

  merge(range: string) {
    assertRange(range)
    this.sheet._merges.push(range)
  }

  /** Before the sheet is ended. */
  complete() {
    addExtras(this.sheet, this.spec, this.dataRows, {
      row: Math.max(1, this.#last),
      column: this.#lastColumn,
    })
  }

  get #hasHeader() {
    return this.spec.hasHeader ?? true
  }

  #writeHeader() {
    const headings = this.spec.columns.map(({ heading }): Cell => {
      return { as: 'text', value: heading, look: 'heading' }
    })
    const height = LINE_POINTS * Math.max(...this.spec.columns.map(linesOfHeading))
    const xml = this.#cellsXml(headings, 1)
    this.#last = 1
    this.sheet.stream.write(Buffer.from(`<row r="1" ht="${height}" customHeight="1">${xml}</row>`))
  }

  /** Not every program fits a row to its wrapped text by itself. */
  #height(cells: readonly Cell[]) {
    if (!this.#mayWrap) return ''
    const lines = cells.map((cell, index) => linesOf(cell, this.spec.columns[index]))
    const most = Math.max(1, ...lines)
    return most === 1 ? '' : ` ht="${Math.min(most * LINE_POINTS, MAX_POINTS)}"`
  }

  #cellsXml(cells: readonly Cell[], row: number) {
    let xml = ''
    for (const [index, cell] of cells.entries()) {
      const { kind, isUnlocked = false } = this.spec.columns[index]
      const reference = `${this.#letters[index]}${row}`
      try {
        const one = cellXml(cell, kind, reference, this.#styleOf[index], isUnlocked)
        if (one !== '' && index >= this.#lastColumn) this.#lastColumn = index + 1
        xml += one
      } catch (error) {
        throw this.#placed(error, index, row)
      }
    }
    return xml
  }

  #placed(error: unknown, index: number, row: number) {
    if (!(error instanceof UnwritableValue)) return error
    const { heading, key } = this.spec.columns[index]
    const place = `«${this.spec.name}», column «${heading}» (${key}), row ${row}`
    return new UnwritableWorkbook(`${place}: ${error.message}`, { cause: error })
  }

  #inOrder(cells: RowCells): readonly Cell[] {
    if (isList(cells)) {
      if (cells.length <= this.#letters.length) return cells
      throw new UnwritableWorkbook(`«${this.spec.name}»: more cells than columns`)
    }
    const list = new Array<Cell>(this.#letters.length).fill(null)
    for (const key of Object.keys(cells)) {
      const index = this.#indexOf.get(key)
      if (index === undefined) throw new UnwritableWorkbook(`«${this.spec.name}» has no ${key}`)
      list[index] = cells[key]
    }
    return list
  }
}

function isList(cells: RowCells): cells is readonly Cell[] {
  return Array.isArray(cells)
}

/** A kind that is not the column's own has the kind's format, not the column's. */
function styleFinder(column: ColumnSpec, styles: Styles): StyleOf {
  const { kind: own, format, wrap, isUnlocked } = column
  const usual = styles.numberOf({ kind: own, format, wrap, isUnlocked })
  return (kind: CellKind, look?: CellStyle) => {
    if (kind === own && !look) return usual
    return styles.numberOf({
      kind,
      format: kind === own ? format : undefined,
      wrap,
      isUnlocked,
      look,
    })
  }
}
