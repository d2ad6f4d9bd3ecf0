import type { Differences } from '#workbooks/check/check_result'
import type { Book } from '#workbooks/check/open_books'
import { SheetReader, type Heading } from '#workbooks/check/sheet_reader'
import type { DataSheet } from '#workbooks/sheets/sheet'
import { MultisetHash } from '#workbooks/proof/multiset_hash'
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
 * holds one hash per row in memory, and cells only of changed rows. A missing sheet counts as empty.
 *
 * Example, key and price: given B 24001, A 12000, C 5; present A 12000, B 24000, D 7.
 * Differences: cell of B (24001, true 24000), row_missing D, row_added C.
 */
export async function compareRows(sheet: DataSheet, compared: Comparison): Promise<string> {
  const { words, given, present, differences, signal, onRows } = compared
  const name = words.sheets[sheet.key]
  const reader = new SheetReader(given, sheet, words, signal)
  const total = new MultisetHash()
  const found = new Map<string, Place & { sum: string }>()
  const missing = new Set<string>()
  let kept = 0
  const onHeadings = (places: Heading[]) => {
    for (const { heading, at } of places)
      if (at === -1) missing.add(heading)
      else kept += 1
  }
  const addRow = (key: string, place: Place) =>
    differences.add({ kind: 'row_added', sheet: name, key, ...placeOf(place) })
  for await (const { key, book, line, sum } of reader.rows(onHeadings)) {
    total.add(sum)
    if (found.has(key)) addRow(key, { book, line })
    else found.set(key, { book, line, sum })
  }
  for (const column of missing) differences.add({ kind: 'column_missing', sheet: name, column })

  const changed = new ExpectedCells()
  let rows = 0
  for await (const { key, cells, sum } of new SheetReader(present, sheet, words, signal).rows()) {
    onRows(name, ++rows)
    const there = found.get(key)
    if (!there) differences.add({ kind: 'row_missing', sheet: name, key })
    else if (there.sum !== sum && kept > 0) {
      if (changed.size < MAX_HELD_ROWS) changed.set(there, cells)
      else differences.count += 1
    }
    found.delete(key)
  }
  for (const [key, place] of found) addRow(key, place)
  if (changed.size > 0) await compareCells(reader, name, changed, differences)
  return total.hex
}

const placeOf = ({ book: { name }, line }: Place) => ({
  line,
  ...(name !== null && { file: name }),
})

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
  for await (const { book, line, cells } of reader.rows((headings) => (places = headings))) {
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
