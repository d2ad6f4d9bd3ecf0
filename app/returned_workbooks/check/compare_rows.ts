import type { Differences } from '#returned_workbooks/check/check_result'
import type { Book } from '#returned_workbooks/check/open_books'
import { SheetReader, type Heading, type ReadRow } from '#returned_workbooks/check/sheet_reader'
import type { DataSheet } from '#workbooks/sheets/sheet'
import { hashRow, MultisetHash } from '#workbooks/proof/multiset_hash'
import type { Words } from '#workbooks/words/words'
import type { RawCell } from '#spreadsheets/read_table'
import { columnLetters } from '#spreadsheets/cells'
import { isDeepStrictEqual } from 'node:util'

export interface Comparison {
  /** The workbooks that came back. */
  given: readonly Book[]
  /** The workbooks that we write now. */
  present: readonly Book[]
  words: Words
  /** The words of the workbooks that came back, where an older format had others. */
  givenWords?: Words
  differences: Differences
  signal?: AbortSignal
  onRows: (sheet: string, rows: number) => void
}

interface Place {
  book: Book
  line: number
}

/** The most changed rows whose cells are compared; further ones are only counted. */
const MAX_HELD_ROWS = 5_000

/**
 * Compares a sheet's rows by their keys, in any order and file. Returns the hash of the sheet in the file. Hash join:
 * holds one hash per row in memory, and cells only of changed rows. A missing sheet counts as empty; a missing column is
 * one difference, and the rows are compared without it.
 *
 * Example, key and price: given B 24001, A 12000, C 5; present A 12000, B 24000, D 7.
 * Differences: cell of B (24001, true 24000), row_missing D, row_added C.
 * Given without the column of prices: column_missing price, row_missing D, row_added C.
 */
export async function compareRows(sheet: DataSheet, compared: Comparison): Promise<string> {
  const { words, given, givenWords = words, present, differences, signal, onRows } = compared
  const name = words.sheets[sheet.key]
  const reader = new SheetReader(given, sheet, givenWords, signal)
  const total = new MultisetHash()
  const found = new Map<string, Place & { rowHash: string }>()
  const missing = new MissingColumns()
  let isComparable = true
  const onHeadings = (book: Book, headings: Heading[]) => {
    missing.add(book, headings)
    isComparable &&= reader.hasKeys(headings)
  }
  const added: [key: string, place: Place][] = []
  for await (const { key, book, line, rowHash } of reader.rows(onHeadings)) {
    total.add(rowHash)
    if (!isComparable) continue
    if (found.has(key)) added.push([key, { book, line }])
    else found.set(key, { book, line, rowHash })
  }
  for (const column of missing.headings)
    differences.add({ kind: 'column_missing', sheet: name, column })
  if (!isComparable) return total.hex
  for (const [key, place] of added)
    differences.add({ kind: 'row_added', sheet: name, key, ...placeOf(place) })

  const changed = new ExpectedCells()
  let rows = 0
  for await (const row of new SheetReader(present, sheet, words, signal).rows()) {
    onRows(name, ++rows)
    const there = found.get(row.key)
    if (!there) differences.add({ kind: 'row_missing', sheet: name, key: row.key })
    else if (there.rowHash !== missing.rowHashWithout(there.book, row)) {
      if (changed.size < MAX_HELD_ROWS) changed.set(there, row.cells)
      else differences.count += 1
    }
    found.delete(row.key)
  }
  for (const [key, place] of found)
    differences.add({ kind: 'row_added', sheet: name, key, ...placeOf(place) })
  if (changed.size > 0) await compareCells(reader, name, changed, differences)
  return total.hex
}

/** The hash of a sheet in the file, without comparing it. */
export async function hashRows(
  sheet: DataSheet,
  { given, words, givenWords = words, signal }: Comparison
) {
  const total = new MultisetHash()
  for await (const { rowHash } of new SheetReader(given, sheet, givenWords, signal).rows())
    total.add(rowHash)
  return total.hex
}

const placeOf = ({ book: { name }, line }: Place) => ({
  line,
  ...(name !== null && { file: name }),
})

/** The columns that each file lacks. */
class MissingColumns {
  readonly #indexes = new Map<Book, Set<number>>()
  readonly #headings = new Set<string>()

  add(book: Book, headings: Heading[]) {
    const missing = headings.flatMap(({ at }, index) => (at === -1 ? [index] : []))
    if (missing.length > 0) this.#indexes.set(book, new Set(missing))
    for (const index of missing) this.#headings.add(headings[index].heading)
  }

  get headings(): Iterable<string> {
    return this.#headings
  }

  /** The hash that our row would have in that file. */
  rowHashWithout(book: Book, { cells, rowHash }: ReadRow) {
    const missing = this.#indexes.get(book)
    return missing
      ? hashRow(cells.map((cell, index) => (missing.has(index) ? null : cell)))
      : rowHash
  }
}

/** The right cells of changed rows, by the rows' places in the file. */
class ExpectedCells {
  readonly #lines = new Map<Book, Map<number, RawCell[]>>()
  size = 0

  set({ book, line }: Place, cells: RawCell[]) {
    const lines = this.#lines.get(book) ?? new Map<number, RawCell[]>()
    this.#lines.set(book, lines.set(line, cells))
    this.size += 1
  }

  get({ book, line }: Place) {
    return this.#lines.get(book)?.get(line)
  }
}

async function compareCells(
  reader: SheetReader,
  sheet: string,
  changed: ExpectedCells,
  differences: Differences
) {
  let places: Heading[] = []
  for await (const { book, line, cells } of reader.rows((_, headings) => (places = headings))) {
    const truth = changed.get({ book, line })
    for (const [index, { heading, at }] of truth ? places.entries() : []) {
      const [inFile, isTrue] = [cells[index], truth![index]]
      if (at === -1 || isDeepStrictEqual(inFile, isTrue)) continue
      const { file } = placeOf({ book, line })
      const cell = `${columnLetters(at + 1)}${line}`
      const place = { sheet, cell, column: heading, ...(file !== undefined && { file }) }
      differences.add({ kind: 'cell', ...place, inFile, isTrue })
    }
  }
}
