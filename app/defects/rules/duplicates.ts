import { validTengeOf } from '#defects/balance/component_of'
import { constantIdBounds, type ConstantIdBound } from '#defects/balance/constant_id_bounds'
import { isPlaceholder, namesNoPayment } from '#defects/facts/placeholder_ids'
import { countPayments, openMoneyOfConfirms } from '#defects/rules/open_money'
import type { Balance } from '#defects/balance/balance'
import { distinct, isAccepted, type CaseFacts, type OrderFacts } from '#defects/facts/facts'
import { atRisk, finding, type Finding } from '#defects/rules/finding'
import type { Thresholds } from '#defects/rules/thresholds'
import { atLeastZero, sum } from '#shared/tenge'

function paidByPayment(orders: OrderFacts[]): Map<string, OrderFacts[]> {
  const paid = orders.filter(({ confirmedAt }) => confirmedAt !== null)
  const inTime = paid.toSorted((a, b) => a.confirmedAt! - b.confirmedAt!)
  return Map.groupBy(inTime, ({ payment }) => payment!.paymentId)
}

/** The orders' value beyond the charge. We do not see charges: the first order's total stands for it. */
const beyondCharge = (group: OrderFacts[]) =>
  atLeastZero(sum(group.map(validTengeOf)) - group[0].totalTenge)

/** DUP_EXTERNAL_PAYMENT_ID: one payment, several paid orders. */
export function duplicatePayment(
  { orders, partner, meaninglessIds }: CaseFacts,
  { farApartMs }: Thresholds
): Finding[] {
  return [...paidByPayment(orders)].flatMap(([paymentId, group]) => {
    if (group.length < 2 || namesNoPayment(paymentId, group.length)) return []
    if (meaninglessIds.has(paymentId)) return []
    const [first, ...others] = group
    const isFar = group.at(-1)!.confirmedAt! - first.confirmedAt! > farApartMs
    const isElsewhere = distinct(group.map(({ eventId }) => eventId)).length > 1
    const isMany = group.length > 2
    const isAllowed = partner.allowsCombinedPayments
    const tenge = isAllowed ? 0n : beyondCharge(group)
    return finding({
      code: 'DUP_EXTERNAL_PAYMENT_ID',
      orderId: others[0].id,
      paymentId,
      severity: isAllowed ? 'INFO' : isMany || (isFar && isElsewhere) ? 'HIGH' : 'MEDIUM',
      subclass: isAllowed ? 'COMBINED' : 'ESTIMATE',
      ...atRisk(tenge, 'PLATFORM'),
      evidence: group.flatMap(acceptedRequest),
    })
  })
}
const acceptedRequest = ({ attempts }: OrderFacts) =>
  attempts
    .filter(isAccepted)
    .map(({ requestId }) => requestId)
    .slice(0, 1)

/** CONFIRM_REPLAY_DIVERGENT: a repeated confirm with another payment. The first one counts; only we see the repeat. */
export function divergentReplay(
  facts: CaseFacts,
  { repeatSlackMs }: Thresholds,
  balance: Balance
): Finding[] {
  return facts.orders.flatMap((order) => {
    const [first, ...repeats] = order.attempts.filter(isAccepted)
    if (!first) return []
    const other = repeats.filter(({ paymentId }) => paymentId !== first.paymentId)
    const differs = repeats.filter(
      ({ amountTenge, paidAt }) =>
        amountTenge !== first.amountTenge ||
        Math.abs((paidAt ?? 0) - (first.paidAt ?? 0)) > repeatSlackMs
    )
    const all = distinct([...other, ...differs])
    if (all.length === 0) return []
    const tenge = openMoneyOfConfirms(order.id, other, balance)
    return finding({
      code: 'CONFIRM_REPLAY_DIVERGENT',
      severity: other.length > 0 ? 'HIGH' : 'LOW',
      orderId: order.id,
      paymentId: all[0].paymentId,
      isStrictBreach: true,
      ...atRisk(tenge, 'BUYER'),
      evidence: all.map(({ requestId }) => requestId),
    })
  })
}

/** MULTI_CHARGE_ONE_ORDER: several payments for one order; a pending one may still be paid with any of them. */
export function multipleCharges(facts: CaseFacts, _: Thresholds, balance: Balance): Finding[] {
  return facts.orders.flatMap((order) => {
    if (order.attempts.length < 2 || order.status === 'pending') return []
    if (countPayments(order.attempts) < 2) return []
    const kept = order.payment?.paymentId ?? order.attempts.find((one) => one.paymentId)!.paymentId
    const beyond = order.attempts.filter(({ paymentId }) => paymentId && paymentId !== kept)
    const tenge = openMoneyOfConfirms(order.id, beyond, balance)
    return finding({
      code: 'MULTI_CHARGE_ONE_ORDER',
      severity: 'HIGH',
      orderId: order.id,
      paymentId: kept,
      ...atRisk(tenge, 'BUYER'),
      evidence: distinct(order.attempts.map(({ requestId }) => requestId)),
    })
  })
}

/** EXTERNAL_ID_PLACEHOLDER: a payment id by which the bank cannot find the payment. */
export const placeholderId = (facts: CaseFacts, _: Thresholds, balance: Balance): Finding[] => [
  ...dummyIds(facts),
  ...constantIdBounds(facts, balance).map((bound) => notUnique(bound, facts)),
]

const dummyIds = ({ orders, constantIds }: CaseFacts) =>
  [...paidByPayment(orders)]
    .filter(([paymentId]) => isPlaceholder(paymentId) && !constantIds.has(paymentId))
    .map(([paymentId, group]) =>
      finding({
        code: 'EXTERNAL_ID_PLACEHOLDER',
        severity: 'LOW',
        orderId: group[0].id,
        paymentId,
        evidence: group.flatMap(acceptedRequest),
      })
    )

/** No money is at risk by what is known: the bound is shown next to the sums and is in none of them. */
function notUnique({ paymentId, orderId, upToTenge }: ConstantIdBound, { orders }: CaseFacts) {
  const named = orders.filter(({ payment }) => payment?.paymentId === paymentId)
  return finding({
    code: 'EXTERNAL_ID_PLACEHOLDER',
    severity: upToTenge > 0n ? 'MEDIUM' : 'LOW',
    subclass: 'NOT_UNIQUE',
    orderId,
    paymentId,
    evidence: named.slice(0, MOST_REQUESTS).flatMap(acceptedRequest),
  })
}
const MOST_REQUESTS = 20
