import type { RawCell } from '#spreadsheets/read_table'
import { hash } from 'node:crypto'

const WIDTH = 256n
const MASK = (1n << WIDTH) - 1n

/** A row's sum over its cells as they are shown. */
export const rowSum = (cells: readonly RawCell[]) => hash('sha256', JSON.stringify(cells), 'hex')

/** The same of a row whose place matters, as on a page of totals; null for one without a value. */
export function placedSum(line: number, cells: readonly RawCell[]) {
  const last = cells.findLastIndex((cell) => cell !== null)
  return last === -1 ? null : rowSum([line, ...cells.slice(0, last + 1)])
}

/** The sum of all rows in whatever order: whoever sorts them changes nothing. */
export class SheetSum {
  #total = 0n

  add(sum: string) {
    this.#total = (this.#total + BigInt(`0x${sum}`)) & MASK
  }

  get hex() {
    return this.#total.toString(16).padStart(64, '0')
  }
}
