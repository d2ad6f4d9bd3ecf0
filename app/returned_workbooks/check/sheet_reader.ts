import { BOOK_LIMITS, type Book } from '#returned_workbooks/check/open_books'
import { valueColumns, type DataSheet } from '#workbooks/sheets/sheet'
import { hashRow } from '#workbooks/proof/multiset_hash'
import type { Words } from '#workbooks/words/words'
import { readTable, type RawCell, type RawRow } from '#spreadsheets/read_table'
import { readValue } from '#spreadsheets/shown_value'

export interface ReadRow {
  key: string
  book: Book
  line: number
  cells: RawCell[]
  rowHash: string
}

export interface Heading {
  heading: string
  /** The column's index in the file; -1 when it is missing. */
  at: number
}

/** Called when the first row of a file's sheet was read. */
type OnHeadings = (book: Book, headings: Heading[]) => void

/** Reads a data sheet from all files with a part of it. Columns are found by heading; the partner's answers are left out. */
export class SheetReader {
  /** The columns that are compared. */
  readonly headings: readonly string[]
  readonly #keyIndex: number

  constructor(
    private readonly books: readonly Book[],
    private readonly sheet: DataSheet,
    private readonly words: Words,
    private readonly signal?: AbortSignal
  ) {
    const columns = valueColumns(sheet).filter(({ isFilledInByPartner }) => !isFilledInByPartner)
    this.headings = columns.map(({ key }) => words.columns[key])
    this.#keyIndex = columns.findIndex(({ key }) => key === sheet.rowKey)
  }

  /** Whether the file has the column that identifies rows. */
  hasKeys(headings: readonly Heading[]) {
    return headings[this.#keyIndex].at !== -1
  }

  async *rows(onHeadings?: OnHeadings): AsyncGenerator<ReadRow> {
    const sheet = this.words.sheets[this.sheet.key]
    for (const book of this.books)
      if (book.sheets.includes(sheet)) yield* this.#rowsOf(book, sheet, onHeadings)
  }

  async *#rowsOf(book: Book, sheet: string, onHeadings?: OnHeadings) {
    const { rows } = await readTable(book.path, BOOK_LIMITS, { sheet })
    let places: Heading[] | null = null
    for await (const row of rows) {
      this.signal?.throwIfAborted()
      if (places) yield this.#row(book, row, places)
      else {
        places = this.headings.map((heading) => ({ heading, at: row.cells.indexOf(heading) }))
        onHeadings?.(book, places)
      }
    }
  }

  #row(book: Book, { line, cells: raw }: RawRow, places: Heading[]): ReadRow {
    const cells = places.map(({ at }) => readValue(raw[at]))
    return {
      key: String(cells[this.#keyIndex] ?? ''),
      book,
      line,
      cells,
      rowHash: hashRow(cells),
    }
  }
}
