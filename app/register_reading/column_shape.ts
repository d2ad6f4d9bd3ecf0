import { cellText, isBlank, plainText } from '#spreadsheets/cell_text'
import type { RawCell, RawRow } from '#spreadsheets/read_table'
import { namesTiyn, readAmount } from '#register_reading/read_amount'
import { readId } from '#register_reading/read_id'
import { readKind } from '#register_reading/read_kind'
import { readMoment } from '#spreadsheets/read_moment'

/** Identifiers of ours; a column with them is recognised whatever its header. */
export interface KnownIds {
  partnerOrderIds: ReadonlySet<string>
  orderIds: ReadonlySet<string>
  paymentIds: ReadonlySet<string>
}

/** Shares of a column's filled cells with a certain form, from 0 to 1. */
export interface ColumnShape {
  filled: number
  amounts: number
  moments: number
  emails: number
  kinds: number
  orderIds: number
  ticketNumbers: number
  /** Words without spaces that hardly repeat. */
  tokens: number
  hits: { partnerOrderId: number; orderId: number; paymentId: number }
}

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/
/** A larger number is no price of seats but a bank's number. */
const MAX_AMOUNT = 999_999_999n

/** The shapes of all columns, by the rows under the header. `prefix` is the platform's, such as `TIX`. */
export function columnShapes(
  rows: readonly RawRow[],
  prefix: string,
  known?: KnownIds
): ColumnShape[] {
  const width = rows.reduce((most, { cells }) => Math.max(most, cells.length), 0)
  return Array.from({ length: width }, (_, column) => {
    const cells = rows.map((row) => row.cells[column]).filter((cell) => !isBlank(cell))
    return shapeOf(cells, prefix, known)
  })
}

function shapeOf(cells: readonly RawCell[], prefix: string, known?: KnownIds): ColumnShape {
  const share = (is: (cell: RawCell) => boolean) =>
    cells.length === 0 ? 0 : cells.filter(is).length / cells.length
  const matches = (pattern: RegExp) => share((cell) => pattern.test(textOf(cell)))
  const hits = (ids?: ReadonlySet<string>) => share((cell) => ids?.has(textOf(cell)) ?? false)
  const isDistinct = new Set(cells.map(textOf)).size > cells.length / 2
  return {
    filled: cells.length,
    amounts: share(isAmount),
    moments: share((cell) => readMoment(cell).isRead),
    emails: matches(EMAIL),
    kinds: share((cell) => readKind([cell]) !== null),
    orderIds: matches(new RegExp(`^${prefix}-\\d{4}-\\d{6,}$`, 'i')),
    ticketNumbers: matches(new RegExp(`^${prefix}-TKT-\\d{6,}$`, 'i')),
    tokens: isDistinct ? matches(/^(?=.*\d)\S{4,64}$/) : 0,
    hits: {
      partnerOrderId: hits(known?.partnerOrderIds),
      orderId: hits(known?.orderIds),
      paymentId: hits(known?.paymentIds),
    },
  }
}

const textOf = (cell: RawCell) => {
  const id = readId(cell)
  return id.isRead && id.value ? plainText(id.value) : ''
}

function isAmount(cell: RawCell) {
  const amount = readAmount(cell)
  if (amount.isRead) return amount.value <= MAX_AMOUNT
  return amount.problem === 'AMOUNT_HAS_FRACTION' || namesTiyn(cellText(cell))
}
