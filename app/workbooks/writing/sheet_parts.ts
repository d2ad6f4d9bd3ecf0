import { partsOfSheet, titleOf, type Document } from '#workbooks/document/document'
import { count, label, Page, tenge, text, columnsOfPage } from '#workbooks/pages/page'
import { isSummed, specOf, type DataRow, type DataSheet } from '#workbooks/sheets/sheet'
import type { SheetKey, Words } from '#workbooks/words/words'
import { columnLetters, formula } from '#spreadsheets/cells'
import type { Cell, OpenSheet, SheetSpec, Workbook } from '#spreadsheets/workbook'

/** What a sheet's rows in one file come to. */
export interface PartFigures {
  key: SheetKey
  sheet: string
  part: number
  rows: number
  /** Of the sheet's own money; null for one that has none. */
  sum: bigint | null
}

export interface PartsTarget {
  document: Document
  words: Words
  footer: SheetSpec['footer']
  /** The file that goes on with a sheet, and what becomes of it when its rows are written. */
  openBook: (sheet: DataSheet, part: number) => Workbook
  finishBook: (book: Workbook, figures: PartFigures) => Promise<void>
  /** Told when a part is at its end. */
  onRows: (rows: number) => void
}

/** The column by which a sheet's money is told. */
const moneyOf = ({ columns }: DataSheet) =>
  columns.find(({ key }) => key === 'payable' || key === 'amount' || key === 'exposure') ??
  columns.find(isSummed)

/** A sheet whose rows go on in further books when there are more than one can hold. */
export class SheetParts implements AsyncDisposable {
  #part = 0
  #rows = 0
  #sum = 0n
  #book: Workbook | null = null
  #sheet: OpenSheet | null = null
  #firstFigures: PartFigures | null = null
  readonly #money

  constructor(
    private readonly first: Workbook,
    private readonly sheet: DataSheet,
    private readonly target: PartsTarget
  ) {
    this.#money = moneyOf(sheet)
  }

  /** Opens the first part, which stands in the book itself. */
  async open() {
    await this.#begin(this.first)
  }

  async row(row: DataRow, cells: readonly Cell[]) {
    if (this.#rows === this.target.document.rowsPerSheet) await this.#goOn()
    this.#rows += 1
    if (this.#money) this.#sum += BigInt((row[this.#money.key] as bigint | null) ?? 0n)
    await this.#sheet!.row(cells)
  }

  /** Tells of the part in the first book. */
  async close(): Promise<PartFigures> {
    await this.#end()
    return this.#firstFigures!
  }

  async [Symbol.asyncDispose]() {
    await this.#book?.abort()
  }

  get #figures(): PartFigures {
    const sum = this.#money ? this.#sum : null
    const { key } = this.sheet
    return { key, sheet: this.target.words.sheets[key], part: this.#part, rows: this.#rows, sum }
  }

  async #begin(book: Workbook) {
    const { document, words, footer } = this.target
    this.#part += 1
    this.#rows = 0
    this.#sum = 0n
    const limits = { refundDays: document.terms.refundEvidenceDays }
    this.#sheet = await book.sheet(specOf(this.sheet, words, footer, limits))
  }

  async #goOn() {
    await this.#end()
    this.#book = this.target.openBook(this.sheet, this.#part + 1)
    await this.#begin(this.#book)
  }

  async #end() {
    const rows = this.#sheet!.dataRows
    await this.#sheet!.close()
    this.target.onRows(this.#rows)
    if (!this.#book) {
      this.#firstFigures = this.#figures
      return
    }
    await this.#writeChecks(this.#book, rows.last)
    await this.target.finishBook(this.#book, this.#figures)
    this.#book = null
  }

  /** Each further book proves its own rows. */
  async #writeChecks(book: Workbook, last: number) {
    const { document, words, footer } = this.target
    const { rows, sum, sheet, part } = this.#figures
    const columns = columnsOfPage([64, 26])
    const name = words.sheets.control
    const page = new Page(
      await book.sheet({ name, columns, footer, hasHeader: false, isProtected: true })
    )
    await page.line(text(titleOf(document, words), 'title'))
    await page.gap()
    const parts = partsOfSheet(document, this.sheet.key)
    await page.line(label(words.part), text(`${sheet} ${part} / ${parts}`))
    await page.line(label(words.rowsOf), count(formula(`COUNT('${sheet}'!A2:A${last})`, rows)))
    if (sum !== null && this.#money) {
      const letter = columnLetters(this.sheet.columns.indexOf(this.#money) + 1)
      const total = formula(`SUM('${sheet}'!${letter}2:${letter}${last})`, sum)
      await page.line(label(words.columns[this.#money.key]), tenge(total))
    }
    await page.sheet.close()
  }
}
