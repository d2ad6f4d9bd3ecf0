import { normaliseHeader } from '#register_reading/header_words'
import { namesOtherCurrency } from '#register_reading/read_amount'

/**
 * Compares the columns of a part with those of its register. Their order does not matter.
 *
 * Example, of a register with Order, Total, Paid:
 *   Order, Total, Paid      the same
 *   Paid, Order, Total      the same, in the order 1, 2, 0
 *   Order, Sum, Paid        other columns: Total is missing, Sum is unknown
 *   Order, Total $, Paid    other columns: Total is missing, Total $ is unknown
 */
export type ComparedColumns =
  | {
      isSame: true
      /** For each column of the register its column in the part; null where they stand in the same order. */
      order: number[] | null
    }
  | { isSame: false; missing: string[]; unknown: string[] }

export function compareColumns(
  ofRegister: readonly string[],
  ofPart: readonly string[]
): ComparedColumns {
  const wanted = ofRegister.map(columnKey)
  const found = ofPart.map(columnKey)
  const missing = named(ofRegister).filter(
    (header) => countOf(header, wanted) > countOf(header, found)
  )
  const unknown = named(ofPart).filter((header) => countOf(header, found) > countOf(header, wanted))
  if (missing.length + unknown.length > 0) return { isSame: false, missing, unknown }
  const isInOrder = wanted.every((header, column) => header === (found[column] ?? ''))
  return { isSame: true, order: isInOrder ? null : orderOf(wanted, found) }
}

/** «Сумма, $» has the words of «Сумма, ₸», and other amounts. */
const columnKey = (header: string) =>
  normaliseHeader(header) + (namesOtherCurrency(header) ? ' other currency' : '')

const named = (headers: readonly string[]) => [
  ...new Set(headers.filter((header) => normaliseHeader(header) !== '')),
]

const countOf = (header: string, among: readonly string[]) => {
  const name = columnKey(header)
  return among.filter((other) => other === name).length
}

/** Columns of one name are taken in their order. */
function orderOf(wanted: readonly string[], found: readonly string[]): number[] {
  const taken = new Set<number>()
  return wanted.map((header) => {
    const column = found.findIndex((other, index) => other === header && !taken.has(index))
    taken.add(column)
    return column
  })
}

/** The names of a file's columns; without a header their numbers. */
export const namesOfColumns = ({ headers, width }: { headers: string[]; width: number }) =>
  headers.some((header) => header.trim() !== '')
    ? headers
    : Array.from({ length: width }, (_, column) => String(column + 1))
