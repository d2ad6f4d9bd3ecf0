import {
  earliest,
  isAccepted,
  mayStillBePaid,
  type AttemptFacts,
  type CaseFacts,
  type OrderFacts,
} from '#defects/facts/facts'
import { isPlaceholder } from '#defects/facts/placeholder_ids'
import { creditedAttempts } from '#defects/facts/credited_attempts'
import { CONFIRMS, type ShownMoney } from '#defects/balance/component'
import { max, min, sum } from '#shared/tenge'

/** What the confirms of one order say of one payment. */
interface Claim {
  orderId: string
  paymentId: string | null
  /** What is believed of it. */
  tenge: bigint
  totalTenge: bigint | null
  /** When it was charged, as far as the confirm's own arrival allows. */
  at: number
  receivedAt: number
  /** When the order was made; null for one that we do not have. */
  orderedAt: number | null
  isAccepted: boolean
}

/**
 * What confirms say that buyers were charged, payment by payment. Repeats are the same money. A pending order may still be paid.
 *
 * Example: payment A of 12,000 refused for order 1, then accepted for order 2; payment B of 12,000 refused for order 2
 *     A 12,000 (orders 1 and 2), B 12,000 (order 2)
 */
export function confirmedCharges(facts: CaseFacts): ShownMoney[] {
  const claims = [
    ...facts.orders.flatMap((order) => claimsOf(order, facts)),
    ...claimsOfUnknown(facts),
  ]
  const named = Map.groupBy(
    claims.filter(({ paymentId }) => paymentId !== null),
    ({ paymentId }) => paymentId
  )
  const charges = [...named].map(([paymentId, own]) =>
    charge(paymentId, own, chargedTenge(own, facts))
  )
  const nameless = Map.groupBy(
    claims.filter(({ paymentId }) => paymentId === null),
    ({ orderId }) => orderId
  )
  return [...charges, ...[...nameless.values()].map((own) => charge(null, own, mostOf(own)))]
}

const charge = (paymentId: string | null, claims: Claim[], tenge: bigint): ShownMoney => ({
  source: CONFIRMS,
  kind: 'charge',
  tenge,
  paymentId,
  orderIds: [...new Set(claims.map(({ orderId }) => orderId))],
  at: earliest(claims.map(({ at }) => at)),
})

/**
 * One payment is one charge; where terms allow carts, it is the sum of what its orders cost. What was sent for an order that we do
 * not have counts only where none of ours has the payment: it was a mistyped number.
 */
function chargedTenge(all: Claim[], { partner }: CaseFacts) {
  const ofOurs = all.filter(({ totalTenge }) => totalTenge !== null)
  const claims = ofOurs.length > 0 ? ofOurs : all
  // A payment that bought something took what its orders cost: a refused sum was a mistake that has been corrected.
  const isSettled = claims.some((claim) => claim.isAccepted)
  const believed = claims.map((claim) => ({
    ...claim,
    tenge: isSettled ? min(claim.tenge, claim.totalTenge ?? claim.tenge) : claim.tenge,
  }))
  return partner.allowsCombinedPayments ? chargedForCart(believed) : mostOf(believed)
}

/**
 * A confirm may claim any sum. Up to twice the order's total it may be true, with a fee or for another order; more than that is
 * no sum of this order, and the total is believed.
 */
const credible = (claimed: bigint, totalTenge: bigint) =>
  isCredible(claimed, totalTenge) ? claimed : totalTenge

/** Whether an order of this total may have been charged so much. */
export const isCredible = (claimed: bigint, totalTenge: bigint) => claimed <= 2n * totalTenge

/** An order that was made after a refusal is another try with the same money, not a further part of the cart. */
function chargedForCart(claims: Claim[]) {
  const refusals = claims.filter((claim) => !claim.isAccepted)
  const refusedAt = earliest(refusals.map(({ receivedAt }) => receivedAt))
  const isAgain = ({ orderedAt }: Claim) => orderedAt !== null && orderedAt > refusedAt
  const tries = Map.groupBy(claims, isAgain)
  const sums = [...tries.values()].map(chargedInOneTry)
  return sums.reduce(max, 0n)
}

/** Each order of a cart may claim the whole cart: a part is no more than its order costs. */
const chargedInOneTry = (claims: Claim[]) =>
  claims.length === 1
    ? claims[0].tenge
    : sum(claims.map(({ tenge, totalTenge }) => min(tenge, totalTenge ?? tenge)))

function claimsOf(order: OrderFacts, facts: CaseFacts): Claim[] {
  const identify = identifierIn(facts)
  const { totalTenge, createdAt, payment } = order
  if (mayStillBePaid(order)) return []
  const withAmount = creditedAttempts(order).filter(
    (attempt) => attempt.amountTenge !== null || attempt.isInOtherCurrency
  )
  const claims = toClaims(withAmount, identify, (attempt) => ({
    // What another currency is worth is not known: the total is believed.
    tenge: attempt.isInOtherCurrency ? totalTenge : credible(attempt.amountTenge!, totalTenge),
    totalTenge,
    orderedAt: createdAt,
    // An earlier refusal of the payment that paid it was the same charge.
    isAccepted: isAccepted(attempt) || attempt.paymentId === payment?.paymentId,
  }))
  return withoutNamelessRepeats(
    payment ? withPayment(claims, order, payingId(order, facts)) : claims
  )
}

function withPayment(claims: Claim[], order: OrderFacts, paymentId: string | null): Claim[] {
  const { id, totalTenge, createdAt, payment, confirmedAt } = order
  const others = claims.filter((claim) => claim.paymentId !== paymentId)
  const own = {
    orderId: id,
    paymentId,
    tenge: totalTenge,
    totalTenge,
    at: Math.min(payment!.paidAt, confirmedAt!),
    receivedAt: confirmedAt!,
    orderedAt: createdAt,
    isAccepted: true,
  }
  return [own, ...others]
}

/** The id of the payment that paid an order; where that is a dummy text, another confirm may have named it. */
export function payingId({ payment, attempts }: OrderFacts, facts: CaseFacts): string | null {
  if (!payment) return null
  const identify = identifierIn(facts)
  const ids = [payment, ...attempts].map(({ paymentId }) => identify(paymentId))
  return ids.find((id) => id !== null) ?? null
}

/**
 * A confirm of an order that we do not have may claim any sum: it is believed up to the dearest order that we could have sold. A
 * sum in another currency is no sum in tenge.
 */
function claimsOfUnknown(facts: CaseFacts): Claim[] {
  const identify = identifierIn(facts)
  const withAmount = facts.confirmsOfUnknownOrders.filter(
    (attempt) => attempt.amountTenge !== null && !attempt.isInOtherCurrency
  )
  const claims = toClaims(withAmount, identify, ({ amountTenge }) => ({
    tenge: min(amountTenge!, facts.partner.dearestOrderTenge),
    totalTenge: null,
    orderedAt: null,
    isAccepted: false,
  }))
  const byOrder = Map.groupBy(claims, ({ orderId }) => orderId)
  return [...byOrder.values()].flatMap(withoutNamelessRepeats)
}

/** One claim for each payment of an order, the first moment and the most that a confirm says. */
function toClaims(
  attempts: AttemptFacts[],
  identify: Identify,
  more: (attempt: AttemptFacts) => Pick<Claim, 'tenge' | 'totalTenge' | 'orderedAt' | 'isAccepted'>
): Claim[] {
  const claims = new Map<string, Claim>()
  for (const attempt of attempts) {
    const paymentId = identify(attempt.paymentId)
    const key = `${attempt.orderIdSent}\n${paymentId ?? ''}`
    const known = claims.get(key)
    const claim = {
      ...more(attempt),
      orderId: attempt.orderIdSent,
      paymentId,
      at: Math.min(attempt.paidAt ?? Infinity, attempt.receivedAt),
      receivedAt: attempt.receivedAt,
    }
    if (!known) claims.set(key, claim)
    else {
      known.tenge = max(known.tenge, claim.tenge)
      known.isAccepted ||= claim.isAccepted
    }
  }
  return [...claims.values()]
}

/** A confirm of an order that names no payment is a repeat of one that does. */
function withoutNamelessRepeats(claims: Claim[]) {
  const named = claims.filter(({ paymentId }) => paymentId !== null)
  return named.length > 0 ? named : claims.slice(0, 1)
}

/** Null for what names no payment: a dummy text, or a constant of many orders. */
type Identify = (paymentId: string | null) => string | null

const identifierIn =
  ({ meaninglessIds }: CaseFacts): Identify =>
  (paymentId) =>
    !paymentId || isPlaceholder(paymentId) || meaninglessIds.has(paymentId) ? null : paymentId

const mostOf = (claims: Claim[]) => claims.map(({ tenge }) => tenge).reduce(max, 0n)
