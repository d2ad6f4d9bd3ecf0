import type { HashedPage, Words } from '#workbooks/words/words'
import type { Comparison } from '#returned_workbooks/check/compare_rows'
import { BOOK_LIMITS, type Book } from '#returned_workbooks/check/open_books'
import { OWN_ACT_COLUMNS } from '#workbooks/pages/act'
import { hashLine, MultisetHash } from '#workbooks/proof/multiset_hash'
import { columnLetters } from '#spreadsheets/cells'
import { readTable, type RawCell } from '#spreadsheets/read_table'
import { readValue } from '#spreadsheets/shown_value'
import { isDeepStrictEqual } from 'node:util'

type Lines = Map<number, RawCell[]>

/** Compares a page. Returns the hash of the page in the file. */
export async function comparePage(key: HashedPage, compared: Comparison): Promise<string> {
  const { words, given: givenBooks, present, differences } = compared
  const sheet = words.sheets[key]
  const [givenLines, presentLines] = [
    await linesOf(givenBooks, key, words),
    await linesOf(present, key, words),
  ]
  // The moment of writing differs in every file.
  const moments: unknown[] = [words.asOf, words.readAt]
  const isMomentOfWriting = (cells: RawCell[]) => moments.includes(cells[0])
  for (const line of new Set([...presentLines.keys(), ...givenLines.keys()])) {
    const [given, current] = [givenLines.get(line) ?? [], presentLines.get(line) ?? []]
    if (isMomentOfWriting(current) && isMomentOfWriting(given)) continue
    for (let index = 0; index < Math.max(given.length, current.length); index++) {
      const [inFile, isTrue] = [given[index] ?? null, current[index] ?? null]
      if (isDeepStrictEqual(inFile, isTrue)) continue
      const cell = `${columnLetters(index + 1)}${line}`
      differences.add({ kind: 'cell', sheet, cell, column: '', inFile, isTrue })
    }
  }
  return hashOf(givenLines)
}

/** The hash of a page in the file, without comparing it. */
export async function hashPage(
  key: HashedPage,
  { given, words, givenWords = words }: Comparison
): Promise<string> {
  return hashOf(await linesOf(given, key, givenWords))
}

function hashOf(lines: Lines) {
  const hash = new MultisetHash()
  for (const [line, cells] of lines) {
    const one = hashLine(line, cells)
    if (one) hash.add(one)
  }
  return hash.hex
}

async function linesOf(books: readonly Book[], key: HashedPage, words: Words): Promise<Lines> {
  const sheet = words.sheets[key]
  const ownColumns = key === 'act' ? OWN_ACT_COLUMNS : Infinity
  const lines: Lines = new Map()
  const book = books.find(({ sheets }) => sheets.includes(sheet))
  if (!book) return lines
  const { rows } = await readTable(book.path, BOOK_LIMITS, { sheet })
  for await (const { line, cells } of rows)
    lines.set(line, cells.slice(0, ownColumns).map(readValue))
  return lines
}
