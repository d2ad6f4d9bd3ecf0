import { BOOK_LIMITS, type Book } from '#workbooks/check/open_books'
import { valueColumns, type DataSheet } from '#workbooks/sheets/sheet'
import { rowHash } from '#workbooks/proof/multiset_hash'
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
  /** The column's index in the file; -1 when it is missing. */
  at: number
}

/** Reads a data sheet from all files with a part of it. Columns are found by heading; the partner's answers are left out. */
export class SheetReader {
  constructor(
    private readonly books: readonly Book[],
    private readonly sheet: DataSheet,
    private readonly words: Words,
    private readonly signal?: AbortSignal
  ) {}

  /** The columns that are compared. */
  get headings() {
    return valueColumns(this.sheet)
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
    return { key: String(cells[keyed] ?? ''), book, line, cells, sum: rowHash(cells) }
  }
}
