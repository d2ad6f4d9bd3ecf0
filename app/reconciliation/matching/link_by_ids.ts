import type { MatchStep, OurOrder, Reason } from '#reconciliation/matching/match_case'
import type { OurOrders } from '#reconciliation/matching/our_orders'
import {
  NO_REASONS,
  NONE_MEANT,
  NONE_UNKNOWN,
  unlinked,
  type RowLink,
  type UnknownIds,
} from '#reconciliation/matching/row_link'
import type { MatchRow } from '#reconciliation/matching/match_row'

/**
 * Links a row with all orders that its identifiers name: the partner's order id, our order id, the payment id.
 *
 * Example, of our orders P-1 and P-2 with payments:
 *   P-1, X-1   → P-1
 *   P-1, Y     → P-1, and the payment id differs
 *   ?, X-2     → P-2, and its order id is unknown
 *   P-1, X-2   → both: they contradict each other
 */
export function linkByIds(row: MatchRow, ours: OurOrders): RowLink | null {
  const named = [ours.named(row.orderKey), ours.named(row.orderId)].filter((one) => one !== null)
  const paid = ours.paidBy(row.paymentId)
  const isOfPayment = named.every((order) => paid.includes(order))
  const orders = isOfPayment ? paid : [...new Set([...named, ...paid])]
  if (orders.length > 0) {
    const step = stepOf(row, named, paid)
    const found = [...severalOrders(orders, paid), ...differences(row, ours, named, paid)]
    const why = found.length > 0 ? found : NO_REASONS
    const unknownIds = unknownIdsOf(row, ours, paid)
    return { row, orders, step, why, isUncertain: false, meantOrders: NONE_MEANT, unknownIds }
  }
  const meant = ours.unpaidNamed(row.orderKey) ?? ours.unpaidNamed(row.orderId)
  return meant && unlinked(row, [meant])
}

function unknownIdsOf(
  { orderKey, orderId, paymentId }: MatchRow,
  ours: OurOrders,
  paid: readonly OurOrder[]
): UnknownIds {
  const isPaymentUnknown = paymentId !== null && paid.length === 0
  const isUnknown = (name: string | null) => name !== null && ours.named(name) === null
  if (!isPaymentUnknown && !isUnknown(orderKey) && !isUnknown(orderId)) return NONE_UNKNOWN
  return {
    names: [orderKey, orderId].filter((name) => name !== null).filter(isUnknown),
    paymentId: isPaymentUnknown ? paymentId : null,
  }
}

function stepOf(
  { paymentId }: MatchRow,
  named: readonly OurOrder[],
  paid: readonly OurOrder[]
): MatchStep {
  if (named.length === 0) return 'BY_PAYMENT'
  const isPaymentKnown = paymentId !== null && named[0].externalPaymentId === paymentId
  return isPaymentKnown || paid.includes(named[0]) ? 'EXACT' : 'BY_ORDER'
}

/** Orders of one payment are a cart; any others contradict each other. */
function severalOrders(orders: readonly OurOrder[], paid: readonly OurOrder[]): Reason[] {
  if (orders.length === 1) return []
  const isCart = orders.length === paid.length
  if (!isCart)
    return [{ code: 'KEYS_LEAD_TO', detail: { orderIds: orders.map(({ orderId }) => orderId) } }]
  const paymentId = paid[0].externalPaymentId!
  return [{ code: 'SHARED_PAYMENT', detail: { paymentId, orders: orders.length } }]
}

function differences(
  row: MatchRow,
  ours: OurOrders,
  named: readonly OurOrder[],
  paid: readonly OurOrder[]
): Reason[] {
  const [order] = named
  if (order) {
    const ofOurs = order.externalPaymentId
    const isOther = row.paymentId !== null && ofOurs !== null && row.paymentId !== ofOurs
    return isOther && paid.length === 0
      ? [{ code: 'PAYMENT_ID_DIFFERS', detail: { ours: ofOurs } }]
      : []
  }
  // The partner has paid a later order with the payment of an earlier one.
  const unpaid = ours.unpaidNamed(row.orderKey) ?? ours.unpaidNamed(row.orderId)
  if (unpaid) {
    const { orderId, status } = unpaid
    return [{ code: 'KEY_OF_UNPAID_ORDER', detail: { orderId, status } }]
  }
  if (row.orderKey === null) return []
  return [{ code: 'ORDER_KEY_UNKNOWN', detail: { ours: paid[0].partnerOrderId } }]
}
