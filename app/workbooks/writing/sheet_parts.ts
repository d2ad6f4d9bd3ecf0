import {
  partCount,
  documentHeader,
  documentTitle,
  type Document,
} from '#workbooks/document/document'
import { countCell, labelCell, Page, tengeCell, textCell, pageColumns } from '#workbooks/pages/page'
import { sheetSpec, type DataRow, type DataSheet } from '#workbooks/sheets/sheet'
import type { DataSheetKey, Words } from '#workbooks/words/words'
import { columnLetters, formula } from '#spreadsheets/cells'
import type { Cell, OpenSheet, SheetSpec, Workbook } from '#spreadsheets/workbook'

/**
 * Splits a sheet's rows over several files.
 *
 * Example: 5 rows, 2 per file: book.xlsx has rows 1 and 2, book_orders_2.xlsx rows 3 and 4, book_orders_3.xlsx row 5.
 * The manifest lists three parts of 2, 2 and 1 rows with their sums; each further file has its own control sheet.
 */

/** Rows and sum of a sheet's part in one file. */
export interface PartFigures {
  key: DataSheetKey
  sheet: string
  part: number
  rows: number
  /** The sum of the sheet's `partSum`; null without one. */
  sum: bigint | null
}

export interface PartsTarget {
  document: Document
  words: Words
  footer: SheetSpec['footer']
  /** Opens the file for a further part, and finishes it when its rows are written. */
  openBook: (sheet: DataSheet, part: number) => Workbook
  finishBook: (book: Workbook, figures: PartFigures) => Promise<void>
  /** Called at the end of each part. */
  onRows: (rows: number) => void
}

/** A sheet that continues in further files when it has more rows than one file may hold. */
export class SheetParts implements AsyncDisposable {
  #part = 0
  #rows = 0
  #sum = 0n
  #book: Workbook | null = null
  #sheet: OpenSheet | null = null
  #firstFigures: PartFigures | null = null
  constructor(
    private readonly first: Workbook,
    private readonly sheet: DataSheet,
    private readonly target: PartsTarget
  ) {}

  /** Opens the first part, in the workbook itself. */
  async open() {
    await this.#begin(this.first)
  }

  async row(row: DataRow, cells: readonly Cell[]) {
    if (this.#rows === this.target.document.rowsPerSheet) await this.#nextPart()
    this.#rows += 1
    const { partSum } = this.sheet
    if (partSum) this.#sum += BigInt((row[partSum] as bigint | null) ?? 0n)
    await this.#sheet!.row(cells)
  }

  /** Ends the last part. Returns the figures of the part in the first file. */
  async close(): Promise<PartFigures> {
    await this.#end()
    return this.#firstFigures!
  }

  async [Symbol.asyncDispose]() {
    await this.#book?.abort()
  }

  get #figures(): PartFigures {
    const { key, partSum } = this.sheet
    const sum = partSum ? this.#sum : null
    return { key, sheet: this.target.words.sheets[key], part: this.#part, rows: this.#rows, sum }
  }

  async #begin(book: Workbook) {
    const { document, words, footer } = this.target
    this.#part += 1
    this.#rows = 0
    this.#sum = 0n
    const limits = { refundDays: document.terms.refundEvidenceDays }
    const header = documentHeader(document, words.sheets[this.sheet.key], words)
    this.#sheet = await book.sheet(sheetSpec(this.sheet, words, { header, footer }, limits))
  }

  async #nextPart() {
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

  /** Writes the control sheet of a further file: formulas over its own rows. */
  async #writeChecks(book: Workbook, last: number) {
    const { document, words, footer } = this.target
    const { rows, sum, sheet, part } = this.#figures
    const columns = pageColumns([64, 26])
    const name = words.sheets.control
    const page = new Page(
      await book.sheet({ name, columns, footer, hasHeader: false, isProtected: true })
    )
    await page.line(textCell(documentTitle(document, words), 'title'))
    await page.blankLine()
    const parts = partCount(document, this.sheet.key)
    await page.line(labelCell(words.part), textCell(`${sheet} ${part} / ${parts}`))
    await page.line(
      labelCell(words.rowsOf),
      countCell(formula(`COUNT('${sheet}'!A2:A${last})`, rows))
    )
    const { columns: dataColumns, partSum } = this.sheet
    if (sum !== null && partSum) {
      const letter = columnLetters(dataColumns.findIndex(({ key }) => key === partSum) + 1)
      const total = formula(`SUM('${sheet}'!${letter}2:${letter}${last})`, sum)
      await page.line(labelCell(words.columns[partSum]), tengeCell(total))
    }
    await page.sheet.close()
  }
}
