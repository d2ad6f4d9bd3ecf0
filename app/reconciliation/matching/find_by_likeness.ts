import type { Precision } from '#shared/instants'
import type { OurOrder, Reason } from '#reconciliation/matching/match_case'
import type { Matching } from '#reconciliation/matching/matching'
import { MOST_CANDIDATES } from '#reconciliation/matching/our_orders'
import type { RegisterRow } from '#reconciliation/reading/parse_row'

/** How texts of a register become what we know of an order. */
export interface LikenessOptions {
  /** The hash under which we know a buyer's e-mail; without it e-mails are not compared. */
  hashEmail?: (email: string) => string
  /** Our event for what the register calls it; without it only event ids are understood. */
  resolveEvent?: (text: string) => string | null
}

const NEAR_MS = 10 * 60_000
// prettier-ignore
const UNIT_MS: Record<Exclude<Precision, 'day'>, number> = { minute: 60_000, second: 1_000, subsecond: 1 }

/** Step 7: the same amount within ten minutes for the same buyer or event, each the other's only candidate. */
export function findByLikeness(matching: Matching, options: LikenessOptions): void {
  const rows = matching.left.filter(isComparable)
  if (rows.length === 0) return
  const index = indexOf(matching)
  const found = new Map<RegisterRow, OurOrder[]>()
  const rivals = new Map<OurOrder, number>()
  for (const row of rows) {
    const orders = candidatesOf(index, row, options)
    if (orders.length > 0) found.set(row, orders)
    for (const order of orders) rivals.set(order, (rivals.get(order) ?? 0) + 1)
  }
  decide(matching, found, rivals, options)
}

const isComparable = ({ kind, isNotPaid, at, precision, email, event }: RegisterRow) =>
  kind === 'sale' && !isNotPaid && at !== null && precision !== 'day' && (email ?? event) !== null

const momentOf = ({ paidAt, confirmedAt, createdAt }: OurOrder) =>
  (paidAt ?? confirmedAt ?? createdAt).getTime()

/** Free orders under their amount and buyer or event, each list in the order of time. */
function indexOf({ ours, taken }: Matching): Map<string, OurOrder[]> {
  const free = ours.confirmed.filter((order) => !taken.has(order))
  const sorted = free.toSorted((one, other) => momentOf(one) - momentOf(other))
  const index = new Map<string, OurOrder[]>()
  for (const order of sorted) {
    for (const key of [
      buyerKey(order.totalTenge, order.emailHash),
      eventKey(order.totalTenge, order.eventId),
    ]) {
      const others = key === null ? undefined : index.get(key)
      if (others) others.push(order)
      else if (key !== null) index.set(key, [order])
    }
  }
  return index
}

const buyerKey = (tenge: bigint, hash: string | null) =>
  hash === null ? null : `${tenge} by ${hash}`
const eventKey = (tenge: bigint, eventId: string | null) =>
  eventId === null ? null : `${tenge} of ${eventId}`

function candidatesOf(index: Map<string, OurOrder[]>, row: RegisterRow, options: LikenessOptions) {
  const { buyer, event } = keysOf(row, options)
  const from = row.at!.getTime() - NEAR_MS
  const to = row.at!.getTime() + UNIT_MS[row.precision as keyof typeof UNIT_MS] + NEAR_MS
  const found = new Set<OurOrder>()
  for (const key of [buyer, event]) {
    const orders = (key !== null && index.get(key)) || []
    for (let i = firstSince(orders, from); i < orders.length && momentOf(orders[i]) <= to; i++) {
      if (found.size > MOST_CANDIDATES) break
      found.add(orders[i])
    }
    // A buyer says more than an event: the event is asked when the buyer finds nobody.
    if (found.size > 0) break
  }
  return [...found]
}

function keysOf({ amountTenge, email, event }: RegisterRow, options: LikenessOptions) {
  const hash = email !== null && options.hashEmail ? options.hashEmail(email) : null
  const eventId = event === null ? null : options.resolveEvent ? options.resolveEvent(event) : event
  return { buyer: buyerKey(amountTenge!, hash), event: eventKey(amountTenge!, eventId), hash }
}

function firstSince(orders: readonly OurOrder[], from: number) {
  let [low, high] = [0, orders.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (momentOf(orders[middle]) < from) low = middle + 1
    else high = middle
  }
  return low
}

function decide(
  matching: Matching,
  found: Map<RegisterRow, OurOrder[]>,
  rivals: Map<OurOrder, number>,
  options: LikenessOptions
): void {
  for (const [row, orders] of found) {
    const [order] = orders
    if (orders.length === 1 && rivals.get(order) === 1) {
      const isBuyer = order.emailHash !== null && keysOf(row, options).hash === order.emailHash
      const code = isBuyer ? 'SAME_AMOUNT_TIME_AND_BUYER' : 'SAME_AMOUNT_TIME_AND_EVENT'
      const why: Reason[] = [{ code }]
      matching.claim(order, { row, step: 'SUGGESTED_BY_LIKENESS', why })
    } else {
      matching.leaveUndecided(row, orders)
    }
  }
  matching.left = matching.left.filter((row) => !found.has(row))
}
