import type { Differences } from '#settlement/workbook/check/differences'
import { SheetReader, type Heading } from '#settlement/workbook/check/sheet_reader'
import type { DataSheet } from '#settlement/workbook/sheet'
import { SheetSum } from '#settlement/workbook/sheet_sum'
import type { Words } from '#settlement/workbook/words/words'
import type { RawCell } from '#spreadsheets/read_table'
import { columnLetters } from '#spreadsheets/cells'
import { isDeepStrictEqual } from 'node:util'

export interface Compared {
  file: string
  present: string
  words: Words
  differences: Differences
  signal?: AbortSignal
  onRows: (sheet: string, rows: number) => void
}

/** Rows whose cells are held until they are compared one by one; more are only counted. */
const MOST_HELD = 5_000

/** Compares a sheet of rows in whatever order they stand, and tells the file's sum of it. Only sums are held in memory. A sheet that is not there at present has no rows. */
export async function compareRows(
  sheet: DataSheet,
  compared: Compared,
  isPresent: boolean
): Promise<string> {
  const { words, file, present, differences, signal, onRows } = compared
  const name = words.sheets[sheet.key]
  const reader = new SheetReader(file, sheet, words, signal)
  const total = new SheetSum()
  const found = new Map<string, { line: number; sum: string }>()
  let places: Heading[] = []
  for await (const { key, line, sum } of reader.rows((headings) => (places = headings))) {
    total.add(sum)
    if (found.has(key)) differences.add({ kind: 'row_added', sheet: name, key, line })
    else found.set(key, { line, sum })
  }
  const kept = places.filter(({ at }) => at !== -1).length
  for (const { heading, at } of places)
    if (at === -1) differences.add({ kind: 'column_missing', sheet: name, column: heading })

  const changed = new Map<number, RawCell[]>()
  let rows = 0
  const truth = isPresent ? new SheetReader(present, sheet, words, signal).rows() : []
  for await (const { key, cells, sum } of truth) {
    onRows(name, ++rows)
    const there = found.get(key)
    if (!there) differences.add({ kind: 'row_missing', sheet: name, key })
    else if (there.sum !== sum && kept > 0) {
      if (changed.size < MOST_HELD) changed.set(there.line, cells)
      else differences.count += 1
    }
    found.delete(key)
  }
  for (const [key, { line }] of found)
    differences.add({ kind: 'row_added', sheet: name, key, line })
  if (changed.size > 0) await compareCells(reader, name, changed, differences)
  return total.hex
}

async function compareCells(
  reader: SheetReader,
  sheet: string,
  changed: Map<number, RawCell[]>,
  differences: Differences
) {
  let places: Heading[] = []
  for await (const { line, cells } of reader.rows((headings) => (places = headings))) {
    const truth = changed.get(line)
    for (const [index, { heading, at }] of truth ? places.entries() : []) {
      const [inFile, isTrue] = [cells[index], truth![index]]
      if (at === -1 || isDeepStrictEqual(inFile, isTrue)) continue
      const cell = `${columnLetters(at + 1)}${line}`
      differences.add({ kind: 'cell', sheet, cell, column: heading, inFile, isTrue })
    }
  }
}
