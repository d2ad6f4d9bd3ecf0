import {
  earliest,
  isAccepted,
  type AttemptFacts,
  type CaseFacts,
  type OrderFacts,
} from '#defects/facts/facts'
import { atLeastNothing, larger, lesser, sum } from '#shared/tenge'

/** payment → what it is said to have taken; repeats of a confirm are the same money. */
export function chargedBy(attempts: AttemptFacts[]): Map<string, bigint> {
  return new Map([...byPayment(attempts)].map(([paymentId, of]) => [paymentId, mostOf(of)]))
}

/**
 * What buyers were charged and have nothing for: of each payment what it took beyond the orders that it paid for, and of a
 * confirm that names none what it says, once an order.
 */
export const unfulfilledTenge = (attempts: AttemptFacts[], facts: CaseFacts): bigint =>
  sum([...unfulfilledByPayment(attempts, facts).values()])

/** payment → what it took beyond what it bought; what names none stands under the empty text. */
export function unfulfilledByPayment(
  attempts: AttemptFacts[],
  facts: CaseFacts
): Map<string, bigint> {
  const nameless = [...byOrder(attempts.filter(({ paymentId }) => !paymentId))]
    .filter(([orderId]) => isNameless(orderId, facts))
    .map(([, of]) => mostOf(of))
  const left = new Map([['', sum(nameless)]])
  for (const [paymentId, of] of byPayment(attempts))
    left.set(paymentId, leftOf(paymentId, of, facts))
  return left
}

function leftOf(paymentId: string, attempts: AttemptFacts[], facts: CaseFacts): bigint {
  const paid = facts.orders.filter(({ payment }) => payment?.paymentId === paymentId)
  if (facts.partner.allowsCombinedPayments) return leftOfCart(attempts, paid, facts)
  if (paid.length === 0) return mostOf(attempts)
  // A sum that was refused as wrong has been corrected.
  const refused = attempts.filter(({ httpStatus }) => httpStatus !== 422)
  return atLeastNothing(
    mostBelieved(refused, facts) - sum(paid.map(({ totalTenge }) => totalTenge))
  )
}

/**
 * One payment may stand for several orders of a cart. What was ordered after a refusal is another try with the same money:
 * paid, it is what that money bought.
 */
function leftOfCart(attempts: AttemptFacts[], paid: OrderFacts[], facts: CaseFacts): bigint {
  const others = attempts.filter(({ orderIdSent }) => paid.every(({ id }) => id !== orderIdSent))
  const firstAt = earliest(others.map(({ receivedAt }) => receivedAt))
  const isAgain = (id: string) =>
    facts.orders.some((order) => order.id === id && order.createdAt > firstAt)
  const claimed = (again: boolean) =>
    sum(
      [...byOrder(others)]
        .filter(([id]) => isAgain(id) === again)
        .map(([, of]) => (paid.length > 0 ? mostBelieved(of, facts) : mostOf(of)))
    )
  const bought = paid.filter(({ id }) => isAgain(id)).map(({ totalTenge }) => totalTenge)
  return atLeastNothing(larger(claimed(false), claimed(true)) - sum(bought))
}

/** Of a payment that did buy something, no more than the refused order was to cost: the sum may have been wrong. */
function mostBelieved(attempts: AttemptFacts[], { orders }: CaseFacts): bigint {
  const refused = attempts.filter((attempt) => !isAccepted(attempt))
  return refused.reduce((most, { orderIdSent, amountTenge }) => {
    const total = orders.find(({ id }) => id === orderIdSent)?.totalTenge ?? 0n
    return larger(most, lesser(amountTenge ?? 0n, total))
  }, 0n)
}

/** Whether no confirm of an unpaid order names a payment: otherwise it is taken for the same money. */
function isNameless(orderId: string, { orders, confirmsOfUnknownOrders }: CaseFacts) {
  const order = orders.find(({ id }) => id === orderId)
  const all = order
    ? creditedAttempts(order)
    : confirmsOfUnknownOrders.filter(({ orderIdSent }) => orderIdSent === orderId)
  return (order?.confirmedAt ?? null) === null && all.every(({ paymentId }) => !paymentId)
}

const END_REFUSALS = ['ORDER_EXPIRED', 'ORDER_CANCELLED', 'EVENT_CANCELLED']
const isEndRefusal = ({ code }: AttemptFacts) => code !== null && END_REFUSALS.includes(code)

/** Whether a later confirm of the order tells how its payment came out. */
export const isHandled = ({ confirmedAt, attempts }: OrderFacts) =>
  confirmedAt !== null || attempts.some(isEndRefusal)

/**
 * Confirms that tell of money. A wrong signature proves nothing, but it may be all there is: one payment of such is believed,
 * up to the order's total.
 */
export function creditedAttempts(order: OrderFacts): AttemptFacts[] {
  const [first] = order.unsigned ?? []
  if (!first || isHandled(order)) return order.attempts
  const believed = order
    .unsigned!.filter(({ paymentId }) => paymentId === first.paymentId)
    .map((one) => ({
      ...one,
      amountTenge: one.amountTenge && lesser(one.amountTenge, order.totalTenge),
    }))
  return [...order.attempts, ...believed]
}

export const allCreditedAttempts = ({ orders, confirmsOfUnknownOrders }: CaseFacts) => [
  ...orders.flatMap(creditedAttempts),
  ...confirmsOfUnknownOrders,
]

const byPayment = (attempts: AttemptFacts[]) =>
  grouped(
    attempts.filter(({ amountTenge }) => amountTenge !== null),
    ({ paymentId }) => paymentId
  )
const byOrder = (attempts: AttemptFacts[]) => grouped(attempts, ({ orderIdSent }) => orderIdSent)

/** What has no key stands in no group. */
function grouped(attempts: AttemptFacts[], keyOf: (attempt: AttemptFacts) => string | null) {
  const groups = new Map<string, AttemptFacts[]>()
  for (const attempt of attempts) {
    const key = keyOf(attempt)
    if (!key) continue
    const group = groups.get(key)
    if (group) group.push(attempt)
    else groups.set(key, [attempt])
  }
  return groups
}

/** The most that one of them says. */
export const mostOf = (attempts: AttemptFacts[]) =>
  attempts.reduce((most, { amountTenge }) => larger(most, amountTenge ?? 0n), 0n)
