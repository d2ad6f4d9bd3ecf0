import { isConfirmed } from '#sales/order_status'
import type { IdRepair } from '#reconciliation/reading/read_id'
import type { OurOrder, Reason } from '#reconciliation/matching/match_case'
import type { Matching } from '#reconciliation/matching/matching'
import { MOST_CANDIDATES } from '#reconciliation/matching/our_orders'
import type { RegisterRow } from '#reconciliation/reading/parse_row'
import { lostDigitsOf, repairsBetween } from '#reconciliation/reading/read_id'
import { RepairedIds } from '#reconciliation/matching/repaired_ids'

/** Step 6: identifiers that a spreadsheet, a keyboard or a person has damaged. Suggestions only. */
export function findByRepair(matching: Matching): void {
  const rows = matching.left.filter(hasId)
  matching.left = matching.left.filter((row) => !hasId(row))
  if (rows.length === 0) return
  const ids = new RepairedIds()
  const kept = keptDigits(rows)
  ids.add([...matching.ours.confirmed, ...matching.ours.unpaid], kept)
  for (const row of rows) {
    decide(matching, row, candidatesOf(ids, row))
  }
}

const hasId = ({ orderKey, orderId, paymentId }: RegisterRow) =>
  (orderKey ?? orderId ?? paymentId) !== null

function keptDigits(rows: readonly RegisterRow[]): Set<number> {
  const kept = new Set<number>()
  for (const { orderKey, orderId, paymentId } of rows) {
    for (const id of [orderKey, orderId, paymentId]) {
      const lost = id === null ? null : lostDigitsOf(id)
      if (lost) kept.add(lost.leading.length)
    }
  }
  return kept
}

/** Orders that the row's names and its payment both allow; if they share none, those of the names. */
function candidatesOf(ids: RepairedIds, row: RegisterRow): readonly OurOrder[] {
  const [byKey, byNumber] = [ids.named(row.orderKey), ids.named(row.orderId)]
  const named = byKey.length > 0 ? byKey : byNumber
  const paid = ids.paidBy(row.paymentId)
  if (named.length > MOST_CANDIDATES || paid.length > MOST_CANDIDATES)
    return named.length <= paid.length && named.length > 0 ? named : paid
  const both = named.filter((order) => paid.includes(order))
  if (both.length > 0) return both
  return named.length > 0 ? named : paid
}

function decide(matching: Matching, row: RegisterRow, all: readonly OurOrder[]) {
  const confirmed = all.filter(({ status }) => isConfirmed(status))
  if (confirmed.length === 0) {
    if (all.length === 1) matching.tracedToUnpaid.set(row, all[0])
    return matching.left.push(row)
  }
  if (confirmed.length > MOST_CANDIDATES) return matching.left.push(row)
  const alike = confirmed.filter(({ totalTenge }) => totalTenge === row.amountTenge)
  const [order, isNarrowed] = confirmed.length === 1 ? [confirmed[0], false] : [alike[0], true]
  if (isNarrowed && alike.length !== 1) return hold(matching, row, confirmed)
  const why: Reason[] = [{ code: 'IDS_REPAIRED', detail: { repairs: repairsOf(row, order) } }]
  if (isNarrowed) why.push({ code: 'NARROWED_BY_AMOUNT' })
  matching.claim(order, { row, step: 'SUGGESTED_BY_ID', why })
}

function hold(matching: Matching, row: RegisterRow, orders: readonly OurOrder[]) {
  const free = orders.filter((order) => !matching.claims.has(order))
  matching.leaveUndecided(row, orders)
  for (const order of free) matching.taken.add(order)
}

function repairsOf(row: RegisterRow, order: OurOrder): string[] {
  const ours = [order.partnerOrderId, order.orderId, order.externalPaymentId]
  const made = new Set<IdRepair>()
  for (const sent of [row.orderKey, row.orderId, row.paymentId]) {
    if (sent === null) continue
    const repairs = ours.map((id) => (id === null ? null : repairsBetween(sent, id)))
    const found = repairs.find((list) => list !== null)
    for (const repair of found ?? (lostDigitsOf(sent) ? ['DIGITS_LOST' as const] : []))
      made.add(repair)
  }
  return [...made]
}
