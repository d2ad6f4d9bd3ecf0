import {
  allCreditedAttempts,
  chargedBy,
  creditedAttempts,
  unfulfilledByPayment,
} from '#defects/rules/charges'
import type { AttemptFacts, CaseFacts, OrderFacts, VoidFacts } from '#defects/facts/facts'
import { knownAndUnknownOrders } from '#defects/rules/known_and_unknown_orders'
import type { RefundSeen, RegisterFacts } from '#defects/facts/register_facts'
import { atLeastNothing, lesser, sum } from '#shared/tenge'

export const voidedTenge = (voids: VoidFacts[]) => sum(voids.map(({ priceTenge }) => priceTenge))

const isOfEvent = ({ cause }: VoidFacts) => cause === 'event_cancelled'

/** Charges for the order that only registers know of. */
export const chargesShown = ({ registered = [] }: OrderFacts) =>
  registered
    .filter(({ code }) => code === 'MISSING_AT_PLATFORM')
    .flatMap(({ paymentIds }) => paymentIds)

const isNamelessCharge = ({ code, paymentIds }: RegisterFacts) =>
  code === 'MISSING_AT_PLATFORM' && paymentIds.length === 0

/** Refunds of payments that the order was not paid with: money that came too late, or twice. */
function isOfCharge(order: OrderFacts) {
  const { confirmedAt, payment, attempts } = order
  const known = new Set([...chargedBy(attempts).keys(), ...chargesShown(order)])
  return ({ paymentId }: RefundSeen) =>
    confirmedAt === null ||
    (paymentId !== null && paymentId !== payment?.paymentId && known.has(paymentId))
}

/** All others: of what was paid for the tickets. */
export function isOfTickets(order: OrderFacts) {
  const isCharge = isOfCharge(order)
  return (refund: RefundSeen) => !isCharge(refund)
}

/** payment → what went back of what bought nothing; what names no payment that we know, of these orders, under the empty text. */
function chargesReturned(facts: CaseFacts, orderIds: ReadonlySet<string>): Map<string, bigint> {
  const orders = knownAndUnknownOrders(facts)
  // What a confirm has told of without a payment may go back by any.
  const shown = orders.filter((order) => !hasOnlyNamelessConfirms(order)).flatMap(chargesShown)
  const known = new Set([...chargedBy(allCreditedAttempts(facts)).keys(), ...shown])
  const returned = new Map<string, bigint>()
  const add = (key: string, tenge: bigint) => returned.set(key, (returned.get(key) ?? 0n) + tenge)
  for (const order of orders) {
    const isAsked = orderIds.has(order.id)
    for (const { paymentId, tenge } of (order.refundsSeen ?? []).filter(isOfCharge(order)))
      if (paymentId !== null && known.has(paymentId)) add(paymentId, tenge)
      else if (isAsked) add('', tenge)
    if (isAsked && order.confirmedAt !== null) add('', unallocatedRefunds(order, facts).told)
  }
  return returned
}

/** Whether a confirm without a payment id has told of an unpaid order's money already. */
export function hasOnlyNamelessConfirms(order: OrderFacts) {
  const heard = creditedAttempts(order).filter(({ amountTenge }) => amountTenge !== null)
  const isNameless = heard.length > 0 && heard.every(({ paymentId }) => !paymentId)
  return order.confirmedAt === null && isNameless
}

/** payment → what confirms have told of it that bought nothing and is not known to have gone back. */
export function unreturnedByPayment(facts: CaseFacts): Map<string, bigint> {
  const returned = chargesReturned(facts, new Set())
  const paid = new Set(facts.orders.map(({ payment }) => payment?.paymentId))
  const told = [...chargedBy(allCreditedAttempts(facts))].filter(
    ([paymentId]) => !paid.has(paymentId)
  )
  return new Map(
    told.map(([paymentId, tenge]) => [
      paymentId,
      atLeastNothing(tenge - (returned.get(paymentId) ?? 0n)),
    ])
  )
}

/** Orders that these confirms, or others of the same payments, are for. */
function ordersOf(attempts: AttemptFacts[], facts: CaseFacts) {
  const payments = new Set(attempts.flatMap(({ paymentId }) => paymentId ?? []))
  const others = allCreditedAttempts(facts).filter(({ paymentId }) => payments.has(paymentId ?? ''))
  return new Set([...attempts, ...others].map(({ orderIdSent }) => orderIdSent))
}

/** What of these confirms' money has not gone back: the refunds of a payment are its own. */
export function unreturnedTenge(attempts: AttemptFacts[], facts: CaseFacts): bigint {
  const returned = chargesReturned(facts, ordersOf(attempts, facts))
  const left = [...unfulfilledByPayment(attempts, facts)].map(([paymentId, tenge]) =>
    paymentId === '' ? tenge : atLeastNothing(tenge - (returned.get(paymentId) ?? 0n))
  )
  return atLeastNothing(sum(left) - (returned.get('') ?? 0n))
}

/** Of the tickets' prices, in the order of who tells of it: what is still to go back, of a cancelled event and otherwise. */
export function openRefunds(order: OrderFacts) {
  const seen = (order.refundsSeen ?? []).filter(isOfTickets(order))
  const returned = sumOf(seen)
  const voided = voidedTenge(order.voids)
  const missing = atLeastNothing(voided - returned)
  const ofEvent = lesser(missing, voidedTenge(order.voids.filter(isOfEvent)))
  return { ofEvent, others: missing - ofEvent, beyond: atLeastNothing(returned - voided) }
}

/**
 * What went back of an order beside its charges and its void tickets, as a refund often has an id of its own: first of what
 * confirms have told of, which counts there.
 */
export function unallocatedRefunds(order: OrderFacts, facts: CaseFacts) {
  const isPaid = order.confirmedAt !== null
  const tenge = isPaid ? openRefunds(order).beyond : strangeRefunds(order)
  const told = isPaid
    ? toldBeside(order, facts)
    : sum([...chargedBy(creditedAttempts(order)).values()])
  const ofTold = lesser(tenge, told)
  return { told: ofTold, others: tenge - ofTold }
}

/** Of an unpaid order: by ids that no charge has, or without one beyond the charges that have none. */
function strangeRefunds(order: OrderFacts) {
  const [seen, registered] = [order.refundsSeen ?? [], order.registered ?? []]
  const told = chargedBy(creditedAttempts(order)).keys()
  const known = new Set<string | null>([null, ...told, ...chargesShown(order)])
  const strange = seen.filter(({ paymentId }) => !known.has(paymentId))
  const nameless = sumOf(seen.filter(({ paymentId }) => paymentId === null))
  return sumOf(strange) + atLeastNothing(nameless - sumOf(registered.filter(isNamelessCharge)))
}

/** What confirms of a paid order have told of beside what paid it. */
function toldBeside(order: OrderFacts, facts: CaseFacts) {
  const returned = chargesReturnedBy(order)
  const left = [...unfulfilledByPayment(creditedAttempts(order), facts)].map(([paymentId, tenge]) =>
    atLeastNothing(tenge - (returned.get(paymentId) ?? 0n))
  )
  return sum(left)
}

/** payment → what registers show to have gone back of an order's charges by it; without one under the empty text. */
export function chargesReturnedBy(order: OrderFacts): Map<string, bigint> {
  const charges = (order.refundsSeen ?? []).filter(isOfCharge(order))
  const payments = Map.groupBy(charges, ({ paymentId }) => paymentId ?? '')
  return new Map([...payments].map(([paymentId, refunds]) => [paymentId, sumOf(refunds)]))
}

const sumOf = (all: { tenge: bigint }[]) => sum(all.map(({ tenge }) => tenge))
