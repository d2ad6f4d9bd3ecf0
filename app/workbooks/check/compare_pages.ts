import type { Compared } from '#workbooks/check/compare_rows'
import { BOOK_LIMITS, type Book } from '#workbooks/check/open_books'
import { ACT_COLUMNS } from '#workbooks/pages/act'
import { placedSum, SheetSum } from '#workbooks/proof/multiset_hash'
import { columnLetters } from '#spreadsheets/cells'
import { readTable, type RawCell } from '#spreadsheets/read_table'
import { readValue } from '#spreadsheets/shown_value'
import { isDeepStrictEqual } from 'node:util'

/** Pages of totals: what stands on them is compared place by place. */
export const PAGES = ['summary', 'act'] as const
export type PageKey = (typeof PAGES)[number]

type Lines = Map<number, RawCell[]>

/** Compares a page and tells the file's sum of it. */
export async function comparePage(key: PageKey, compared: Compared): Promise<string> {
  const { words, given, present, differences } = compared
  const sheet = words.sheets[key]
  const ours = key === 'act' ? ACT_COLUMNS : Infinity
  const [claimed, truth] = [await linesOf(given, sheet, ours), await linesOf(present, sheet, ours)]
  const sum = new SheetSum()
  for (const [line, cells] of claimed) {
    const one = placedSum(line, cells)
    if (one) sum.add(one)
  }
  // When it was written is what it says of itself, and no claim about the matter.
  const isMoment = (cells: RawCell[] | undefined) => cells?.[0] === words.asOf
  for (const line of new Set([...truth.keys(), ...claimed.keys()])) {
    const [ofFile, isSo] = [claimed.get(line) ?? [], truth.get(line) ?? []]
    if (isMoment(isSo) && isMoment(ofFile)) continue
    for (let index = 0; index < Math.max(ofFile.length, isSo.length); index++) {
      const [inFile, isTrue] = [ofFile[index] ?? null, isSo[index] ?? null]
      if (isDeepStrictEqual(inFile, isTrue)) continue
      const cell = `${columnLetters(index + 1)}${line}`
      differences.add({ kind: 'cell', sheet, cell, column: '', inFile, isTrue })
    }
  }
  return sum.hex
}

async function linesOf(books: readonly Book[], sheet: string, ours: number): Promise<Lines> {
  const lines: Lines = new Map()
  const book = books.find(({ sheets }) => sheets.includes(sheet))
  if (!book) return lines
  const { rows } = await readTable(book.path, BOOK_LIMITS, { sheet })
  for await (const { line, cells } of rows) lines.set(line, cells.slice(0, ours).map(readValue))
  return lines
}
