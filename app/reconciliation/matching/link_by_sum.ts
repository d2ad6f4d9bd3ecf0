import type { Precision } from '#shared/instants'
import type { OurOrder, Reason, ReasonCode } from '#reconciliation/matching/match_case'
import { MOST_CANDIDATES } from '#reconciliation/matching/our_orders'
import {
  idsOf,
  severalCandidates,
  suggestedLink,
  type RowLink,
} from '#reconciliation/matching/row_link'
import type { ParsedRow } from '#register_reading/parse_row'
import { appendTo } from '#shared/append_to'
import { localDay } from '#shared/days'

/** How texts of a register become what we know of an order. */
export interface LikenessOptions {
  /** The hash under which we know a buyer's e-mail; without it e-mails are not compared. */
  hashEmail?: (email: string) => string
  /** Our event for what the register calls it; without it only event ids are understood. */
  resolveEvent?: (text: string) => string | null
  /** How much later than midnight at the venues the days of the register begin. */
  dayShiftMs?: number
}

const NEAR_MS = 10 * 60_000
// prettier-ignore
const UNIT_MS: Record<Exclude<Precision, 'day'>, number> = { minute: 60_000, second: 1_000, subsecond: 1 }

/**
 * Links a row without a known identifier with orders of its amount. Suggestions only.
 *
 * Example, of two orders of 12,000 on one day for one event, at 12:00 and 15:00:
 *   12,000 at 12:04 for that event    → the first order
 *   12,000 on that day, nothing else  → both orders: one of them, nobody knows which
 */
export class OrdersBySum {
  /** Amount with a buyer or an event → orders by time. */
  readonly #alike = new Map<string, OurOrder[]>()
  /** Amount and day, alone and with an event → orders. */
  readonly #ofDay = new Map<string, OurOrder[]>()

  constructor(
    free: readonly OurOrder[],
    private readonly options: LikenessOptions
  ) {
    const sorted = free.toSorted((one, other) => one.paidAt - other.paidAt)
    for (const order of sorted) {
      for (const key of [
        buyerKey(order.totalTenge, order.emailHash),
        eventKey(order.totalTenge, order.eventId),
      ])
        if (key !== null) appendTo(this.#alike, key, order)
      const day = dayKey(order.totalTenge, new Date(order.paidAt), options)
      for (const key of [day, `${day} of ${order.eventId}`]) appendTo(this.#ofDay, key, order)
    }
  }

  link(row: ParsedRow): RowLink | null {
    if (row.kind !== 'sale' || row.isNotPaid || row.at === null) return null
    return this.#ofBuyerOrEvent(row) ?? this.#ofSameDay(row)
  }

  /** Within ten minutes. A buyer says more than an event: the event is asked where the buyer leads to nobody. */
  #ofBuyerOrEvent(row: ParsedRow): RowLink | null {
    const { amountTenge, email, precision } = row
    if (precision === 'day') return null
    const hash = email !== null && this.options.hashEmail ? this.options.hashEmail(email) : null
    const byBuyer = this.#near(row, buyerKey(amountTenge!, hash))
    if (byBuyer.length > 0) return this.#suggested(row, byBuyer, 'SAME_AMOUNT_TIME_AND_BUYER')
    const byEvent = this.#near(row, eventKey(amountTenge!, this.#eventOf(row)))
    return byEvent.length > 0 ? this.#suggested(row, byEvent, 'SAME_AMOUNT_TIME_AND_EVENT') : null
  }

  #near({ at, precision }: ParsedRow, key: string | null): OurOrder[] {
    const orders = (key !== null && this.#alike.get(key)) || []
    const from = at!.getTime() - NEAR_MS
    const to = at!.getTime() + UNIT_MS[precision as keyof typeof UNIT_MS] + NEAR_MS
    const found: OurOrder[] = []
    for (let i = firstSince(orders, from); i < orders.length && orders[i].paidAt <= to; i++) {
      if (found.push(orders[i]) > MOST_CANDIDATES) break
    }
    return found
  }

  /** In a rush too many fit: then all of that day do, in one list that such rows share. */
  #suggested(row: ParsedRow, near: readonly OurOrder[], code: ReasonCode) {
    const orders = near.length > MOST_CANDIDATES ? this.#alikeOfDay(row) : near
    return suggestion(row, orders ?? near, code)
  }

  /** Only for rows without ids, and of their event where they name one of ours. */
  #ofSameDay(row: ParsedRow): RowLink | null {
    if (idsOf(row).length > 0) return null
    const orders = this.#alikeOfDay(row)
    return orders ? suggestion(row, orders, 'SAME_AMOUNT_AND_DAY') : null
  }

  #alikeOfDay(row: ParsedRow): readonly OurOrder[] | undefined {
    const day = dayKey(row.amountTenge!, row.at!, this.options)
    const eventId = this.#eventOf(row)
    return this.#ofDay.get(eventId === null ? day : `${day} of ${eventId}`)
  }

  #eventOf({ event }: ParsedRow) {
    return event !== null && this.options.resolveEvent ? this.options.resolveEvent(event) : event
  }
}

function suggestion(row: ParsedRow, orders: readonly OurOrder[], code: ReasonCode): RowLink {
  const why: Reason[] = orders.length === 1 ? [{ code }] : [severalCandidates(orders)]
  return suggestedLink(row, { orders, step: 'SUGGESTED_BY_LIKENESS', why, isUncertain: true })
}

const buyerKey = (tenge: bigint, hash: string | null) =>
  hash === null ? null : `${tenge} by ${hash}`
const eventKey = (tenge: bigint, eventId: string | null) =>
  eventId === null ? null : `${tenge} of ${eventId}`
const dayKey = (tenge: bigint, at: Date, options: LikenessOptions) =>
  `${tenge} on ${dayOf(at, options)}`

/** The day of the register that a moment belongs to. */
export const dayOf = (at: Date, { dayShiftMs = 0 }: LikenessOptions) =>
  localDay(new Date(at.getTime() - dayShiftMs))

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
