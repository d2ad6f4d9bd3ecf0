import { distinct, isAccepted, type AttemptFacts, type CaseFacts } from '#defects/facts/facts'
import { atRisk, finding, type Finding } from '#defects/rules/finding'
import type { Balance } from '#defects/balance/balance'
import { creditedAttempts } from '#defects/facts/credited_attempts'
import { boughtNothing, openMoneyOfConfirms } from '#defects/rules/open_money'
import type { Thresholds } from '#defects/rules/thresholds'
import { DAY_MS } from '#shared/days'

/** What was refused, by the id that it was sent for; a pending order may still be paid. */
function* refusals({
  orders,
  confirmsOfUnknownOrders,
}: CaseFacts): Generator<[string, AttemptFacts[]]> {
  for (const order of orders)
    if (order.status !== 'pending')
      yield [order.id, creditedAttempts(order).filter((attempt) => !isAccepted(attempt))]
  for (const id of distinct(confirmsOfUnknownOrders.map(({ orderIdSent }) => orderIdSent)))
    yield [id, confirmsOfUnknownOrders.filter(({ orderIdSent }) => orderIdSent === id)]
}

/** LATE_MONEY_NOT_RETURNED: a refused payment that nobody has shown as returned within the days of the terms. */
export function lateMoney(facts: CaseFacts, _: Thresholds, balance: Balance): Finding[] {
  const days = facts.partner.refundEvidenceDays
  return [...refusals(facts)].flatMap(([orderId, attempts]) => {
    if (attempts.length === 0) return []
    const tenge = openMoneyOfConfirms(orderId, attempts, balance)
    if (tenge <= 0n || facts.asOf - attempts[0].receivedAt <= days * DAY_MS) return []
    return finding({
      code: 'LATE_MONEY_NOT_RETURNED',
      severity: 'HIGH',
      orderId,
      paymentId: attempts[0].paymentId,
      isStrictBreach: true,
      ...atRisk(tenge, 'BUYER'),
      evidence: attempts.map(({ requestId }) => requestId),
    })
  })
}

/** SEAT_RESOLD_AFTER_EXPIRY: whoever paid too late cannot get these seats any more. */
export function seatResold(facts: CaseFacts, _: Thresholds, balance: Balance): Finding[] {
  const own = facts.orders.map(({ id }) => id)
  return facts.orders.flatMap((order) => {
    const others = order.resoldTo.filter((id) => !own.includes(id))
    if (order.confirmedAt !== null || others.length === 0) return []
    if (!boughtNothing(order.id, balance)) return []
    return finding({
      code: 'SEAT_RESOLD_AFTER_EXPIRY',
      severity: 'INFO',
      orderId: order.id,
      fault: 'UNKNOWN',
      evidence: others.filter((id) => id !== ''),
    })
  })
}
