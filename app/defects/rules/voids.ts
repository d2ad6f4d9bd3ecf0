import type { Balance } from '#defects/balance/balance'
import { isDue, pricesOf } from '#defects/balance/component_of'
import { distinct, type CaseFacts, type OrderFacts, type VoidFacts } from '#defects/facts/facts'
import { atRisk, finding, type Finding } from '#defects/rules/finding'
import { openMoneyOf } from '#defects/rules/open_money'
import type { Thresholds } from '#defects/rules/thresholds'
import { min } from '#shared/tenge'

/** EVENT_CANCELLED_REFUND_DUE: the event was cancelled, and no register shows in time that the buyer was refunded. */
export function refundDue(facts: CaseFacts, _: Thresholds, balance: Balance): Finding[] {
  return facts.orders.flatMap((order) => {
    const voids = order.voids.filter(
      (one) => one.cause === 'event_cancelled' && isDue(one, order, facts)
    )
    const dueTenge = min(pricesOf(voids), openMoneyOf(order.id, balance))
    if (dueTenge === 0n) return []
    return finding({
      code: 'EVENT_CANCELLED_REFUND_DUE',
      severity: 'HIGH',
      orderId: order.id,
      paymentId: order.payment?.paymentId ?? null,
      fault: 'UNKNOWN',
      ...atRisk(dueTenge, 'BUYER'),
      evidence: ticketsOf(voids),
    })
  })
}

/**
 * USED_TICKET_OF_CANCELLED_EVENT: a guest had been admitted before the event was cancelled. By the terms the ticket stays sold,
 * or was voided as the others. Its money, if a register shows any at risk, is another finding's.
 */
export function usedTicketOfCancelledEvent({ orders }: CaseFacts): Finding[] {
  return orders.flatMap((order) => [
    ...usedTicketFinding(order, 'KEPT', order.keptTickets),
    ...usedTicketFinding(order, 'VOIDED', ticketsOf(order.voids.filter(wasUsedBeforeCancellation))),
  ])
}

function usedTicketFinding(
  order: OrderFacts,
  subclass: 'KEPT' | 'VOIDED',
  tickets: string[]
): Finding[] {
  if (tickets.length === 0) return []
  return [
    finding({
      code: 'USED_TICKET_OF_CANCELLED_EVENT',
      severity: 'MEDIUM',
      orderId: order.id,
      paymentId: order.payment?.paymentId ?? null,
      subclass,
      fault: 'UNKNOWN',
      evidence: tickets,
    }),
  ]
}

const wasUsedBeforeCancellation = ({ cause, usedAt, voidedAt }: VoidFacts) =>
  cause === 'event_cancelled' && usedAt !== null && usedAt <= voidedAt

/** USED_AFTER_VOID: a gate without network admitted a guest with a void ticket. */
export function usedAfterVoid({ orders }: CaseFacts): Finding[] {
  return orders.flatMap((order) => {
    const used = order.voids.filter(({ usedAt, voidedAt }) => usedAt !== null && usedAt > voidedAt)
    if (used.length === 0) return []
    return finding({
      code: 'USED_AFTER_VOID',
      severity: 'HIGH',
      orderId: order.id,
      fault: 'PLATFORM',
      ...atRisk(pricesOf(used), 'PLATFORM'),
      evidence: ticketsOf(used),
    })
  })
}

/** REFUND_OF_USED: a refund, made or refused, of a ticket with which a guest had been admitted. */
export function refundOfUsed({ orders }: CaseFacts): Finding[] {
  return orders.flatMap((order) => {
    const paidBack = order.voids.filter(
      ({ cause, usedAt, voidedAt }) => cause === 'refund' && usedAt !== null && usedAt <= voidedAt
    )
    const evidence = [...ticketsOf(paidBack), ...order.refusedRefunds]
    if (evidence.length === 0) return []
    const tenge = pricesOf(paidBack)
    return finding({
      code: 'REFUND_OF_USED',
      severity: 'MEDIUM',
      orderId: order.id,
      subclass: paidBack.length > 0 ? 'PAID_BACK' : 'REFUSED',
      ...atRisk(tenge, 'PLATFORM'),
      evidence: distinct(evidence),
    })
  })
}

/** REFUND_AFTER_CLOSE: the statement with the sale is issued already; the refund is settled in a later period. */
export function refundAfterClose({ orders }: CaseFacts): Finding[] {
  return orders.flatMap((order) => {
    const late = order.voids.filter(
      ({ cause, saleClosedAt }) => cause === 'refund' && saleClosedAt !== null
    )
    if (late.length === 0) return []
    return finding({
      code: 'REFUND_AFTER_CLOSE',
      severity: 'INFO',
      orderId: order.id,
      fault: 'UNKNOWN',
      evidence: ticketsOf(late),
    })
  })
}

const ticketsOf = (voids: VoidFacts[]) => voids.map(({ ticketId }) => ticketId)

/** ZERO_TOTAL_PAID: a confirmed order whose total is 0 ₸. */
export function zeroTotal({ orders }: CaseFacts): Finding[] {
  return orders
    .filter(({ confirmedAt, totalTenge }) => confirmedAt !== null && totalTenge === 0n)
    .map(({ id }) =>
      finding({ code: 'ZERO_TOTAL_PAID', severity: 'LOW', orderId: id, fault: 'UNKNOWN' })
    )
}
