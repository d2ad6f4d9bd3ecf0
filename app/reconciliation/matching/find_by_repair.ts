import { judgeOrders } from '#reconciliation/matching/judge_orders'
import type { OurOrder, Reason } from '#reconciliation/matching/match_case'
import type { Matching } from '#reconciliation/matching/matching'
import { MOST_CANDIDATES } from '#reconciliation/matching/our_orders'
import type { RegisterRow } from '#reconciliation/reading/parse_row'
import {
  foldId,
  keysOfLostDigits,
  lostDigitsKey,
  lostDigitsOf,
  repairsBetween,
  type LostDigits,
} from '#reconciliation/reading/read_id'
import { localDay } from '#shared/days'
import { isConfirmed } from '#sales/order_status'

/**
 * Step 6: identifiers that a spreadsheet, a keyboard or a person has damaged. Suggestions only.
 *
 * Example, of payments 12345678901234567801 to 12345678901234567830 on one day, 12,000 each:
 *   ' р-1' is order P-1 with a space and a Cyrillic letter                  → that order
 *   30 rows with payment 12345678901234600000, 12,000 each, of that day     → all of them are all those orders, pair by pair unknown
 *   29 such rows                                                           → the same, and the sums differ: several fit
 */
export function findByRepair(matching: Matching): void {
  const rows = matching.left.filter((row) => idsOf(row).length > 0)
  matching.left = matching.left.filter((row) => idsOf(row).length === 0)
  if (rows.length === 0) return
  const kept = keptDigits(rows)
  const index = indexOf([...matching.ours.confirmed, ...matching.ours.unpaid], kept)
  const unreliable: Unreliable[] = []
  for (const row of rows) {
    const all = candidatesOf(index, row)
    const confirmed = all.filter(({ status }) => isConfirmed(status))
    if (confirmed.length === 0) leaveUnpaid(matching, row, all)
    else if (claimOnly(matching, row, confirmed)) continue
    else if (lostOf(row).length > 0) unreliable.push({ row, orders: confirmed })
    else holdSeveral(matching, { row, orders: confirmed })
  }
  findByDayAndSum(matching, unreliable, kept)
}

/** A row whose identifiers lost their digits, and orders that fit what is left of them. */
interface Unreliable {
  row: RegisterRow
  orders: readonly OurOrder[]
}

const idsOf = ({ orderKey, orderId, paymentId }: RegisterRow) =>
  [orderKey, orderId, paymentId].filter((id) => id !== null)

const lostOf = (row: RegisterRow): LostDigits[] =>
  idsOf(row)
    .map(lostDigitsOf)
    .filter((lost) => lost !== null)

const keptDigits = (rows: readonly RegisterRow[]) =>
  new Set(rows.flatMap((row) => lostOf(row).map(({ leading }) => leading.length)))

/** Our orders by what their identifiers become when they are repaired, or lose all but the first `kept` digits. */
function indexOf(orders: readonly OurOrder[], kept: ReadonlySet<number>) {
  const index = new Map<string, OurOrder[]>()
  for (const order of orders) {
    for (const key of keysOf(order, kept)) {
      const others = index.get(key)
      if (!others) index.set(key, [order])
      // One more than may be looked at is enough to know that there are too many.
      else if (others.length <= MOST_CANDIDATES && others.at(-1) !== order) others.push(order)
    }
  }
  return index
}

function keysOf(
  { partnerOrderId, orderId, externalPaymentId }: OurOrder,
  kept: ReadonlySet<number>
) {
  const ids = [partnerOrderId, orderId, externalPaymentId].filter((id) => id !== null).map(foldId)
  const lost = [...kept].flatMap((digits) => ids.flatMap((id) => keysOfLostDigits(id, digits)))
  return [...ids, ...lost]
}

/** Orders that all identifiers of the row allow; if they share none, those of the first one. */
function candidatesOf(
  index: ReadonlyMap<string, OurOrder[]>,
  row: RegisterRow
): readonly OurOrder[] {
  const found = idsOf(row).flatMap((id) => {
    const lost = lostDigitsOf(id)
    const orders = index.get(foldId(id)) ?? (lost && index.get(lostDigitsKey(lost)))
    return orders ? [orders] : []
  })
  const few = found.filter((orders) => orders.length <= MOST_CANDIDATES)
  if (few.length === 0) return found[0] ?? []
  const common = few.reduce((one, other) => one.filter((order) => other.includes(order)))
  return common.length > 0 ? common : few[0]
}

function leaveUnpaid(matching: Matching, row: RegisterRow, orders: readonly OurOrder[]) {
  if (orders.length === 1) matching.tracedToUnpaid.set(row, orders[0])
  matching.left.push(row)
}

/** Whether a single order fits, or a single one of that amount. */
function claimOnly(matching: Matching, row: RegisterRow, orders: readonly OurOrder[]): boolean {
  const isNarrowed = orders.length > 1
  const alike = orders.filter(({ totalTenge }) => totalTenge === row.amountTenge)
  const [order, ...others] = isNarrowed ? alike : orders
  if (!order || others.length > 0 || orders.length > MOST_CANDIDATES) return false
  const why: Reason[] = [{ code: 'IDS_REPAIRED', detail: { repairs: repairsOf(row, order) } }]
  if (isNarrowed) why.push({ code: 'NARROWED_BY_AMOUNT' })
  matching.claim(order, { row, step: 'SUGGESTED_BY_ID', why })
  return true
}

function holdSeveral(matching: Matching, { row, orders }: Unreliable) {
  if (orders.length > MOST_CANDIDATES) return matching.left.push(row)
  matching.leaveUndecided(row, orders)
  for (const order of orders) matching.taken.add(order)
}

function repairsOf(row: RegisterRow, order: OurOrder): string[] {
  const ours = [order.partnerOrderId, order.orderId, order.externalPaymentId]
  const made = idsOf(row).flatMap((sent) => {
    const repairs = ours.map((id) => (id === null ? null : repairsBetween(sent, id)))
    const lost = lostDigitsOf(sent) ? (['DIGITS_LOST'] as const) : []
    return repairs.find((list) => list !== null) ?? lost
  })
  return [...new Set(made)]
}

/** An identifier that lost its digits identifies nothing: all rows and orders of one day and sum belong together. */
function findByDayAndSum(
  matching: Matching,
  unreliable: readonly Unreliable[],
  kept: ReadonlySet<number>
) {
  if (unreliable.length === 0) return
  const groups = Map.groupBy(unreliable, ({ row }) => dayAndSum(row.at, row.amountTenge))
  const free = matching.ours.confirmed.filter((order) => !matching.taken.has(order))
  const known = Map.groupBy(free, ({ paidAt, confirmedAt, createdAt, totalTenge }) =>
    dayAndSum(paidAt ?? confirmedAt ?? createdAt, totalTenge)
  )
  for (const [key, group] of groups) {
    const rows = group.map(({ row }) => row)
    const wanted = new Set(rows.flatMap((row) => lostOf(row).map(lostDigitsKey)))
    const orders = (known.get(key) ?? []).filter((order) =>
      keysOf(order, kept).some((lost) => wanted.has(lost))
    )
    if (orders.length > 0) joinAll(matching, rows, orders)
    else for (const one of group) holdSeveral(matching, one)
  }
}

const dayAndSum = (at: Date | null, tenge: bigint | null) => `${at && localDay(at)} ${tenge}`

/** As many rows as orders are a suggestion; otherwise nobody knows which of them has no counterpart. */
function joinAll(matching: Matching, rows: RegisterRow[], orders: OurOrder[]) {
  const detail = { rows: rows.length, orders: orders.length }
  const why: Reason[] = [{ code: 'IDS_LOST_DIGITS', detail }]
  const isWhole = rows.length === orders.length && rows.every(({ isNotPaid }) => !isNotPaid)
  if (isWhole) {
    for (const order of orders) matching.settle(order)
    const step = 'SUGGESTED_BY_ID'
    matching.cases.push(judgeOrders({ orders, rows, step, why, isSuggested: true }))
  } else {
    for (const order of orders) matching.taken.add(order)
    matching.ambiguous.push({ rows, orders, why })
  }
}
