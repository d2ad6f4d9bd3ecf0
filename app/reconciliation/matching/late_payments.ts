import type { ConfirmEvidence, OurOrder } from '#reconciliation/matching/match_case'
import type { OurOrders } from '#reconciliation/matching/our_orders'
import type { RowLink } from '#reconciliation/matching/row_link'
import type { MatchRow } from '#reconciliation/matching/match_row'

/**
 * Orders that were never paid, although a confirm of a payment came for them: too late, or refused for another reason. By kind of
 * row, without those that a row of that kind names.
 *
 * Example, of the expired order P-1, for which payment A came too late:
 *   2 | A | 12,000     P-1 is late for refunds alone: its charge is shown
 *   3 |   | −12,000
 */
export function latePayments(
  rows: readonly MatchRow[],
  links: readonly RowLink[],
  ours: OurOrders,
  attempts: readonly ConfirmEvidence[]
): Record<MatchRow['kind'], OurOrder[]> {
  const attempted = new Set<OurOrder>()
  const ofPayment = new Map<string, OurOrder>()
  for (const { orderIdSent, externalPaymentId: id, code } of attempts) {
    const order = ours.unpaidNamed(orderIdSent)
    // A pending order may still be paid.
    if (!order || order.status === 'pending' || code === null) continue
    attempted.add(order)
    if (id !== null && !ours.isMeaningless(id)) ofPayment.set(id, order)
  }
  const shown = { sale: new Set<OurOrder>(), refund: new Set<OurOrder>() }
  for (const { row, meantOrders } of links)
    for (const order of meantOrders) shown[row.kind].add(order)
  for (const { kind, paymentId, isNotPaid } of rows) {
    const order = paymentId !== null && ofPayment.get(paymentId)
    if (order && !isNotPaid) shown[kind].add(order)
  }
  const late = ours.unpaid.filter((order) => attempted.has(order))
  return {
    sale: late.filter((order) => !shown.sale.has(order)),
    refund: late.filter((order) => !shown.refund.has(order)),
  }
}
