import { isSuggestion, type OurOrder } from '#reconciliation/matching/match_case'
import { namesOf } from '#reconciliation/matching/our_orders'
import type { RowLink } from '#reconciliation/matching/row_link'
import type { MatchRow } from '#reconciliation/matching/match_row'
import { foldId, lostDigitsOf } from '#register_reading/read_id'
import type { RowMeaning } from '#register_reading/read_kind'
import { sumTenge } from '#shared/sums'
import { min } from '#shared/tenge'

/** Rows whose money counts, and rows that only repeat one of them. */
export interface CountedRows {
  counted: readonly RowLink[]
  repeats: { row: MatchRow; line: number }[]
}

/**
 * Equal rows are one payment written again, unless they are tickets without numbers, or our orders cost as much as several of
 * them.
 *
 * Example, of an order of 24,000 with two tickets:
 *   2 | order 1 | payment A | 12,000
 *   3 | order 1 | payment A | 12,000
 *   4 | order 1 | payment A | 12,000
 *   a row is a ticket             36,000 count
 *   a row is an order or payment  lines 2 and 3 count: as much as the order costs; line 4 repeats line 2
 */
export function separateRepeats(
  links: readonly RowLink[],
  rowIs: RowMeaning,
  orders: readonly OurOrder[]
): CountedRows {
  if (links.length === 1) return { counted: links, repeats: [] }
  const originals = originalsOf(links.filter((link) => isIdentified(link, rowIs)))
  const isRepeat = ({ row }: RowLink) => originals.has(row) && originals.get(row) !== row
  const counted = new Set(links.filter((link) => !isRepeat(link)))
  const room = new Room(
    orders,
    [...counted].map(({ row }) => row)
  )
  const repeats = links.filter(isRepeat).filter((link) => {
    if (rowIs === 'ticket' || !room.has(link.row)) return true
    room.take(link.row)
    counted.add(link)
    return false
  })
  return {
    counted: links.filter((link) => counted.has(link)),
    repeats: repeats.map(({ row }) => ({ row, line: originals.get(row)!.line })),
  }
}

/** Row → the first of its equals; where rows show states, the latest one, by what went back. */
function originalsOf(links: readonly RowLink[]): Map<MatchRow, MatchRow> {
  const rows = links.map(({ row }) => row)
  const equal = [...Map.groupBy(rows, contentOf).values()]
  return new Map(
    equal.flatMap((own) => {
      const [original] = own.toSorted((one, other) =>
        Number(other.returnedTenge - one.returnedTenge)
      )
      return own.map((row) => [row, original] as const)
    })
  )
}

/**
 * What our orders cost, and what was refunded of them, beyond the rows that were taken. Refunds are those of the register's days,
 * or all of them where these rows show more.
 */
class Room {
  readonly #orders: readonly OurOrder[]
  readonly #refundedOf: (order: OurOrder) => bigint
  readonly #byName: ReadonlyMap<string, OurOrder>
  /** What rows show of each order that they name; under null what all rows show of all orders. */
  readonly #taken = new Map<OurOrder | null, Record<MatchRow['kind'], bigint>>()

  constructor(orders: readonly OurOrder[], rows: readonly MatchRow[]) {
    this.#orders = orders
    this.#byName = namesOf(orders)
    for (const row of rows) this.take(row)
    const ofDays = sumTenge(orders, ({ refundedInPeriodTenge }) => refundedInPeriodTenge)
    const isBeyond = (this.#taken.get(null)?.refund ?? 0n) > ofDays
    this.#refundedOf = (order) => (isBeyond ? order.refundedTenge : order.refundedInPeriodTenge)
  }

  take(row: MatchRow) {
    for (const order of new Set([this.#namedBy(row), null])) {
      const taken = this.#taken.get(order) ?? { sale: 0n, refund: 0n }
      taken[row.kind] += sizeOf(row)
      this.#taken.set(order, taken)
    }
  }

  has(row: MatchRow): boolean {
    const named = this.#namedBy(row)
    const left = this.#left(row.kind, null, this.#orders)
    const leftOfNamed = named === null ? left : this.#left(row.kind, named, [named])
    return sizeOf(row) <= min(left, leftOfNamed)
  }

  #left(kind: MatchRow['kind'], order: OurOrder | null, orders: readonly OurOrder[]) {
    const costOf = ({ totalTenge }: OurOrder) => totalTenge
    const ours = sumTenge(orders, kind === 'sale' ? costOf : this.#refundedOf)
    return ours - (this.#taken.get(order)?.[kind] ?? 0n)
  }

  #namedBy({ orderKey, orderId }: MatchRow): OurOrder | null {
    return this.#byName.get(orderKey ?? '') ?? this.#byName.get(orderId ?? '') ?? null
  }
}

const sizeOf = ({ kind, amountTenge }: MatchRow) => (kind === 'sale' ? amountTenge! : -amountTenge!)

/** Rows without a reliable identifier may be different payments, however equal they are; so may tickets without a number. */
function isIdentified({ row, orders, step, unknownIds }: RowLink, rowIs: RowMeaning) {
  if (rowIs === 'ticket') return row.ticketNumber !== null
  const isExact = orders.length > 0 && !isSuggestion(step)
  const ids = [...unknownIds.names, unknownIds.paymentId, row.ticketNumber]
  return isExact || ids.some((id) => id !== null && lostDigitsOf(id) === null)
}

const contentOf = (row: MatchRow) =>
  [
    ...[row.orderKey, row.orderId, row.paymentId, row.ticketNumber].map((id) => foldId(id ?? '')),
    row.kind,
    row.amountTenge,
    row.at,
    row.email,
    row.event,
  ].join('\u0001')
