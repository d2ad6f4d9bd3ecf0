import { BOOK_LIMITS, type Book } from '#workbooks/check/open_books'
import { solidColumns, type DataSheet } from '#workbooks/sheets/sheet'
import { rowSum } from '#workbooks/proof/multiset_hash'
import type { Words } from '#workbooks/words/words'
import { readTable, type RawCell, type RawRow } from '#spreadsheets/read_table'
import { readValue } from '#spreadsheets/shown_value'

export interface ReadRow {
  key: string
  book: Book
  line: number
  cells: RawCell[]
  sum: string
}

export interface Heading {
  heading: string
  /** Where it stands in the file; -1 when it is not there. */
  at: number
}

/**
 * The rows of a data sheet, in all books that have a part of it, by their headings, wherever somebody has moved the
 * columns; answers are left out.
 */
export class SheetReader {
  constructor(
    private readonly books: readonly Book[],
    private readonly sheet: DataSheet,
    private readonly words: Words,
    private readonly signal?: AbortSignal
  ) {}

  /** The columns that are compared. */
  get headings() {
    return solidColumns(this.sheet)
      .filter(({ isAnswer }) => !isAnswer)
      .map(({ key }) => this.words.columns[key])
  }

  async *rows(onHeadings?: (headings: Heading[]) => void): AsyncGenerator<ReadRow> {
    const sheet = this.words.sheets[this.sheet.key]
    for (const book of this.books)
      if (book.sheets.includes(sheet)) yield* this.#rowsOf(book, sheet, onHeadings)
  }

  async *#rowsOf(book: Book, sheet: string, onHeadings?: (headings: Heading[]) => void) {
    const { rows } = await readTable(book.path, BOOK_LIMITS, { sheet })
    let places: Heading[] | null = null
    for await (const row of rows) {
      this.signal?.throwIfAborted()
      if (places) yield this.#row(book, row, places)
      else {
        places = this.headings.map((heading) => ({ heading, at: row.cells.indexOf(heading) }))
        onHeadings?.(places)
      }
    }
  }

  #row(book: Book, { line, cells: raw }: RawRow, places: Heading[]): ReadRow {
    const cells = places.map(({ at }) => readValue(raw[at]))
    const keyed = this.headings.indexOf(this.words.columns[this.sheet.rowKey])
    return { key: String(cells[keyed] ?? ''), book, line, cells, sum: rowSum(cells) }
  }
}
