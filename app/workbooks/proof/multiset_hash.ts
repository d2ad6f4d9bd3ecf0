import type { RawCell } from '#spreadsheets/read_table'
import { hash } from 'node:crypto'

/**
 * Additive multiset hash (AdHash, Bellare and Micciancio 1997): the sum of all rows' SHA-256 modulo 2^256.
 * Sorting rows does not change it; a changed, missing or doubled row does.
 *
 * Example: rows ["ord_1",12000] and ["ord_2",24000].
 *   hashRow of each is the SHA-256 of its JSON; the sheet's hash is their sum modulo 2^256.
 *   Swapped rows: the same hash. 24000 changed to 24001, or a row twice: another hash.
 */

const WIDTH = 256n
const MASK = (1n << WIDTH) - 1n

/** SHA-256 of a row's cells as the file shows them. */
export const hashRow = (cells: readonly RawCell[]) => hash('sha256', JSON.stringify(cells), 'hex')

/** SHA-256 of a page's line, its line number included; null for an empty line. */
export function hashLine(line: number, cells: readonly RawCell[]) {
  const last = cells.findLastIndex((cell) => cell !== null)
  return last === -1 ? null : hashRow([line, ...cells.slice(0, last + 1)])
}

/** Collects row hashes in any order. */
export class MultisetHash {
  #total = 0n

  add(rowSha256: string) {
    this.#total = (this.#total + BigInt(`0x${rowSha256}`)) & MASK
  }

  get hex() {
    return this.#total.toString(16).padStart(64, '0')
  }
}
