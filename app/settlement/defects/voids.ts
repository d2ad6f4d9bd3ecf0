import { finding, type CaseFacts, type Finding } from '#settlement/defects/facts'

const DAY_MS = 86_400_000

/** EVENT_CANCELLED_REFUND_DUE: the event was cancelled, and nobody has shown yet that the buyer has the money back. */
export function refundDue({ orders, partner, asOf }: CaseFacts): Finding[] {
  return orders.flatMap((order) => {
    const voids = order.voids.filter(({ cause }) => cause === 'event_cancelled')
    const isDue = voids.some(
      ({ voidedAt }) => asOf - voidedAt > partner.refundEvidenceDays * DAY_MS
    )
    const voided = voids.reduce((sum, { priceTenge }) => sum + priceTenge, 0n)
    const dueTenge = voided - (order.refundSeenTenge ?? 0n)
    if (!isDue || dueTenge <= 0n) return []
    return finding({
      ...{ code: 'EVENT_CANCELLED_REFUND_DUE', severity: 'HIGH', orderId: order.id },
      ...{ paymentId: order.payment?.paymentId ?? null, fault: 'UNKNOWN' },
      exposureTenge: dueTenge,
      ...{ exposureParty: 'BUYER', evidence: voids.map(({ ticketId }) => ticketId) },
    })
  })
}

/** USED_AFTER_VOID: a guest got in with a ticket that was void already, past a gate without network. */
export function usedAfterVoid({ orders }: CaseFacts): Finding[] {
  return orders.flatMap((order) => {
    const used = order.voids.filter(({ usedAt, voidedAt }) => usedAt !== null && usedAt > voidedAt)
    if (used.length === 0) return []
    return finding({
      ...{ code: 'USED_AFTER_VOID', severity: 'HIGH', orderId: order.id, fault: 'PLATFORM' },
      exposureTenge: used.reduce((sum, { priceTenge }) => sum + priceTenge, 0n),
      ...{ exposureParty: 'PLATFORM', evidence: used.map(({ ticketId }) => ticketId) },
    })
  })
}

/** ZERO_TOTAL_PAID: tickets for nothing. */
export function zeroTotal({ orders }: CaseFacts): Finding[] {
  return orders
    .filter(({ confirmedAt, totalTenge }) => confirmedAt !== null && totalTenge === 0n)
    .map(({ id }) =>
      finding({ code: 'ZERO_TOTAL_PAID', severity: 'LOW', orderId: id, fault: 'UNKNOWN' })
    )
}
