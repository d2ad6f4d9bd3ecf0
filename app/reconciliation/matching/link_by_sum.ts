import type { OurOrder, OurVoid, Reason, ReasonCode } from '#reconciliation/matching/match_case'
import { MOST_CANDIDATES } from '#reconciliation/matching/our_orders'
import { unpaidReason } from '#reconciliation/matching/unknown_money'
import {
  idsOf,
  severalCandidates,
  suggestedLink,
  unlinked,
  type RowLink,
} from '#reconciliation/matching/row_link'
import type { MatchRow } from '#reconciliation/matching/match_row'
import { appendTo } from '#shared/append_to'
import { localDay } from '#shared/days'
import { UNIT_MS } from '#shared/instants'
import { abs } from '#shared/tenge'

/** How texts of a register become what we know of an order. */
export interface LikenessOptions {
  /** The hash under which we know a buyer's e-mail. */
  hashEmail: (email: string) => string
  /** Our event for what the register calls it. */
  resolveEvent: (text: string) => string | null
  /** How much later than midnight at the venues the days of the register begin. */
  dayShiftMs: number
}

/** Orders whose money rows without identifiers may show, as identifiers have led no row to it. */
export interface OrdersWithoutRows {
  paid: readonly OurOrder[]
  /** With the voids whose refund no row shows. */
  voided: ReadonlyMap<OurOrder, readonly OurVoid[]>
  /** Never paid, although a payment was made for them. */
  late: Readonly<Record<MatchRow['kind'], readonly OurOrder[]>>
}

const NEAR_MS = 10 * 60_000

/**
 * Links a row without a known identifier with orders of its amount. Suggestions only.
 *
 * Example, of two orders of 12,000 on one day for one event, at 12:00 and 15:00; both were voided on the next day:
 *   12,000 at 12:04 for that event     → the first order
 *   12,000 on that day, nothing else   → both orders: one of them, nobody knows which
 *   −12,000 on the next day            → both orders, likewise
 *   −12,000 two days later             → none: nothing was voided on that day
 * Example, of an order of 12,000 that expired on one day before its payment came:
 *   12,000 and −12,000 on that day     → no paid order; the money was meant for that one
 */
export class OrdersBySum {
  /** Amount with a buyer or an event → orders by time. */
  readonly #alike = new Map<string, OurOrder[]>()
  readonly #paid: OrdersOfDays
  readonly #voided: OrdersOfDays
  readonly #late: Record<MatchRow['kind'], OrdersOfDays>

  constructor(
    { paid, voided, late }: OrdersWithoutRows,
    private readonly options: LikenessOptions
  ) {
    const sorted = paid.toSorted((one, other) => one.paidAt - other.paidAt)
    for (const order of sorted) {
      for (const key of [
        buyerKey(order.totalTenge, order.emailHash),
        eventKey(order.totalTenge, order.eventId),
      ])
        if (key !== null) appendTo(this.#alike, key, order)
    }
    this.#paid = new OrdersOfDays(options).addSales(sorted)
    this.#voided = new OrdersOfDays(options)
    for (const [order, voids] of voided)
      for (const { tenge, at } of voids) this.#voided.add(order, tenge, at)
    this.#late = {
      sale: new OrdersOfDays(options).addSales(late.sale),
      refund: new OrdersOfDays(options).addSales(late.refund),
    }
  }

  link(row: MatchRow): RowLink | null {
    if (row.isNotPaid || row.at === null) return null
    if (row.kind === 'refund') return this.#ofSameDay(row, this.#voided)
    return this.#ofBuyerOrEvent(row) ?? this.#ofSameDay(row, this.#paid)
  }

  /** Within ten minutes. A buyer says more than an event: the event is asked where the buyer leads to nobody. */
  #ofBuyerOrEvent(row: MatchRow): RowLink | null {
    const { amountTenge, email, precision } = row
    if (precision === 'day') return null
    const hash = email === null ? null : this.options.hashEmail(email)
    const byBuyer = this.#near(row, buyerKey(amountTenge!, hash))
    if (byBuyer.length > 0) return this.#suggested(row, byBuyer, 'SAME_AMOUNT_TIME_AND_BUYER')
    const byEvent = this.#near(row, eventKey(amountTenge!, this.#eventOf(row)))
    return byEvent.length > 0 ? this.#suggested(row, byEvent, 'SAME_AMOUNT_TIME_AND_EVENT') : null
  }

  #near({ at, precision }: MatchRow, key: string | null): OurOrder[] {
    const orders = (key !== null && this.#alike.get(key)) || []
    const from = at! - NEAR_MS
    const to = at! + UNIT_MS[precision!] + NEAR_MS
    const found: OurOrder[] = []
    for (let i = firstSince(orders, from); i < orders.length && orders[i].paidAt <= to; i++) {
      if (found.push(orders[i]) > MOST_CANDIDATES) break
    }
    return found
  }

  /** In a rush too many fit: then all of that day do, in one list that such rows share. */
  #suggested(row: MatchRow, near: readonly OurOrder[], code: ReasonCode) {
    const ofDay = near.length > MOST_CANDIDATES ? this.#paid.find(row, this.#eventOf(row)) : []
    return this.#suggestion(row, ofDay.length > 0 ? ofDay : near, code)
  }

  /** Only for rows without ids, and of their event where they name one of ours. */
  #ofSameDay(row: MatchRow, ofDays: OrdersOfDays): RowLink | null {
    if (idsOf(row).length > 0) return null
    return this.#suggestion(row, ofDays.find(row, this.#eventOf(row)), 'SAME_AMOUNT_AND_DAY')
  }

  /** The row may be of a late payment as well; of no paid order where it fits none. */
  #suggestion(row: MatchRow, orders: readonly OurOrder[], code: ReasonCode): RowLink | null {
    const late = this.#lateOf(row)
    const candidates = [...late, ...orders.slice(0, MOST_CANDIDATES)]
    if (candidates.length === 0) return null
    const why: Reason[] = candidates.length === 1 ? [{ code }] : [severalCandidates(candidates)]
    const step = 'SUGGESTED_BY_LIKENESS'
    if (orders.length === 0)
      return { ...unlinked(row, late), step, why: [...why, ...late.map(unpaidReason)] }
    // An uncertain row makes a difference AMBIGUOUS. The refund of one order does not: its charge differs by itself.
    const isUncertain = row.kind === 'sale' || orders.length > 1
    return { ...suggestedLink(row, { orders, step, why, isUncertain }), meantOrders: late }
  }

  #lateOf(row: MatchRow): readonly OurOrder[] {
    if (idsOf(row).length > 0) return []
    const late = this.#late[row.kind].find(row, this.#eventOf(row))
    return late.length > MOST_CANDIDATES ? [] : late
  }

  #eventOf({ event }: MatchRow) {
    return event === null ? null : this.options.resolveEvent(event)
  }
}

/** Orders by amount and day, alone and with an event. */
class OrdersOfDays {
  readonly #orders = new Map<string, OurOrder[]>()

  constructor(private readonly options: LikenessOptions) {}

  addSales(orders: readonly OurOrder[]) {
    for (const order of orders) this.add(order, order.totalTenge, order.paidAt)
    return this
  }

  /** All sums of one order come one after another. */
  add(order: OurOrder, tenge: bigint | number, at: number) {
    const day = dayKey(tenge, at, this.options)
    for (const key of [day, `${day} of ${order.eventId}`])
      if (this.#orders.get(key)?.at(-1) !== order) appendTo(this.#orders, key, order)
  }

  /** All rows alike get the same list. */
  find({ amountTenge, at }: MatchRow, eventId: string | null): readonly OurOrder[] {
    const day = dayKey(abs(amountTenge!), at!, this.options)
    return this.#orders.get(eventId === null ? day : `${day} of ${eventId}`) ?? NONE
  }
}

const NONE: readonly OurOrder[] = []

const buyerKey = (tenge: bigint, hash: string | null) =>
  hash === null ? null : `${tenge} by ${hash}`
const eventKey = (tenge: bigint, eventId: string | null) =>
  eventId === null ? null : `${tenge} of ${eventId}`
const dayKey = (tenge: bigint | number, at: number, options: LikenessOptions) =>
  `${tenge} on ${dayOf(at, options)}`

/** The day of the register that a moment belongs to. */
export const dayOf = (at: number, { dayShiftMs }: LikenessOptions) =>
  localDay(new Date(at - dayShiftMs))

/** Binary search in orders by time. */
function firstSince(orders: readonly OurOrder[], from: number) {
  let [low, high] = [0, orders.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (orders[middle].paidAt < from) low = middle + 1
    else high = middle
  }
  return low
}
