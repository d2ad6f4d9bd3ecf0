import { matchCase, type OurOrder, type Reason } from '#reconciliation/matching/match_case'
import type { Matching } from '#reconciliation/matching/matching'
import { MOST_CANDIDATES } from '#reconciliation/matching/our_orders'
import type { RegisterRow } from '#reconciliation/reading/parse_row'

/** Steps 1 to 3a: identifiers as they were sent. */
export function findByIds(matching: Matching, rows: readonly RegisterRow[]): void {
  for (const row of rows) {
    if (row.isUnparseable) matching.cases.push(unparseable(row))
    else findOne(matching, row)
  }
}

function unparseable(row: RegisterRow) {
  const codes = row.problems.map(({ code }) => code)
  return matchCase('UNPARSEABLE', {
    rows: [row],
    why: [{ code: 'ROW_PROBLEMS', detail: { codes } }],
  })
}

function findOne(matching: Matching, row: RegisterRow) {
  const { ours } = matching
  const [byKey, byNumber] = [ours.named(row.orderKey), ours.named(row.orderId)]
  const named = byKey ?? byNumber
  const paid = ours.paidBy(row.paymentId)
  if (byKey && byNumber && byKey !== byNumber) return conflict(matching, row, [byKey, byNumber])
  if (named) return claimNamed(matching, row, named, paid)
  if (paid.length === 1) return claimPaid(matching, row, paid[0])
  if (paid.length > 1 && paid.length <= MOST_CANDIDATES) return share(matching, row)
  matching.left.push(row)
}

function claimNamed(
  matching: Matching,
  row: RegisterRow,
  order: OurOrder,
  paid: readonly OurOrder[]
) {
  const why: Reason[] = []
  if (row.paymentId !== null && row.paymentId === order.externalPaymentId)
    return matching.claim(order, { row, step: 'EXACT', why })
  if (paid.length > 0 && paid.length <= MOST_CANDIDATES)
    return conflict(matching, row, [order, ...paid])
  if (row.paymentId !== null && order.externalPaymentId !== null)
    why.push({ code: 'PAYMENT_ID_DIFFERS', detail: { ours: order.externalPaymentId } })
  matching.claim(order, { row, step: 'BY_ORDER', why })
}

/** A key that leads to an unpaid order is no conflict: the partner paid a later order with the same payment. */
function claimPaid(matching: Matching, row: RegisterRow, order: OurOrder) {
  const unpaid = matching.ours.unpaidNamed(row.orderKey) ?? matching.ours.unpaidNamed(row.orderId)
  const why: Reason[] = []
  if (unpaid) {
    const { orderId, status } = unpaid
    why.push({ code: 'KEY_OF_UNPAID_ORDER', detail: { orderId, status } })
  } else if (row.orderKey !== null) {
    why.push({ code: 'ORDER_KEY_UNKNOWN', detail: { ours: order.partnerOrderId } })
  }
  matching.claim(order, { row, step: 'BY_PAYMENT', why })
}

function conflict(matching: Matching, row: RegisterRow, orders: readonly OurOrder[]) {
  const orderIds = orders.map(({ orderId }) => orderId)
  matching.conflicts.push({
    rows: [row],
    orders,
    why: [{ code: 'KEYS_LEAD_TO', detail: { orderIds } }],
  })
}

function share({ shared }: Matching, row: RegisterRow) {
  const others = shared.get(row.paymentId!)
  if (others) others.push(row)
  else shared.set(row.paymentId!, [row])
}
