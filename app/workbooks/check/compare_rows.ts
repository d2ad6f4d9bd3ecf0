import type { Differences } from '#workbooks/check/check_result'
import type { Book } from '#workbooks/check/open_books'
import { SheetReader, type Heading } from '#workbooks/check/sheet_reader'
import type { DataSheet } from '#workbooks/sheets/sheet'
import { SheetSum } from '#workbooks/proof/multiset_hash'
import type { Words } from '#workbooks/words/words'
import type { RawCell } from '#spreadsheets/read_table'
import { columnLetters } from '#spreadsheets/cells'
import { isDeepStrictEqual } from 'node:util'

export interface Compared {
  /** What came back. */
  given: readonly Book[]
  /** What we would write now. */
  present: readonly Book[]
  words: Words
  differences: Differences
  signal?: AbortSignal
  onRows: (sheet: string, rows: number) => void
}

interface Place {
  book: Book
  line: number
}

/** Rows whose cells are held until they are compared one by one; more are only counted. */
const MOST_HELD = 5_000

/**
 * Compares a sheet of rows in whatever order and book they stand, and tells the given sum of it. Only sums are held in
 * memory. A sheet that is nowhere has no rows.
 */
export async function compareRows(sheet: DataSheet, compared: Compared): Promise<string> {
  const { words, given, present, differences, signal, onRows } = compared
  const name = words.sheets[sheet.key]
  const reader = new SheetReader(given, sheet, words, signal)
  const total = new SheetSum()
  const found = new Map<string, Place & { sum: string }>()
  const missing = new Set<string>()
  let kept = 0
  const onHeadings = (places: Heading[]) => {
    for (const { heading, at } of places)
      if (at === -1) missing.add(heading)
      else kept += 1
  }
  const addRow = (key: string, place: Place) =>
    differences.add({ kind: 'row_added', sheet: name, key, ...told(place) })
  for await (const { key, book, line, sum } of reader.rows(onHeadings)) {
    total.add(sum)
    if (found.has(key)) addRow(key, { book, line })
    else found.set(key, { book, line, sum })
  }
  for (const column of missing) differences.add({ kind: 'column_missing', sheet: name, column })

  const changed = new Changed()
  let rows = 0
  for await (const { key, cells, sum } of new SheetReader(present, sheet, words, signal).rows()) {
    onRows(name, ++rows)
    const there = found.get(key)
    if (!there) differences.add({ kind: 'row_missing', sheet: name, key })
    else if (there.sum !== sum && kept > 0) {
      if (changed.size < MOST_HELD) changed.set(there, cells)
      else differences.count += 1
    }
    found.delete(key)
  }
  for (const [key, place] of found) addRow(key, place)
  if (changed.size > 0) await compareCells(reader, name, changed, differences)
  return total.hex
}

const told = ({ book: { name }, line }: Place) => ({ line, ...(name !== null && { file: name }) })

/** What the cells of changed rows should be, by where the rows stand. */
class Changed {
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
  changed: Changed,
  differences: Differences
) {
  let places: Heading[] = []
  for await (const { book, line, cells } of reader.rows((headings) => (places = headings))) {
    const truth = changed.get({ book, line })
    for (const [index, { heading, at }] of truth ? places.entries() : []) {
      const [inFile, isTrue] = [cells[index], truth![index]]
      if (at === -1 || isDeepStrictEqual(inFile, isTrue)) continue
      const { file } = told({ book, line })
      const cell = `${columnLetters(at + 1)}${line}`
      const place = { sheet, cell, column: heading, ...(file !== undefined && { file }) }
      differences.add({ kind: 'cell', ...place, inFile, isTrue })
    }
  }
}
