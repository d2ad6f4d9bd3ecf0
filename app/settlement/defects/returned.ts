import { allHeard, chargedBy, unansweredBy } from '#settlement/defects/charges'
import type { AttemptFacts, CaseFacts, OrderFacts, VoidFacts } from '#settlement/defects/facts'
import { ordersTold } from '#settlement/defects/orders_told'
import type { RefundSeen, RegisterFacts } from '#settlement/defects/register_facts'
import { atLeastNothing, lesser, sum } from '#shared/tenge'

export const voidedTenge = (voids: VoidFacts[]) => sum(voids.map(({ priceTenge }) => priceTenge))

const isOfEvent = ({ cause }: VoidFacts) => cause === 'event_cancelled'

/** Charges for the order that only registers know of. */
const chargesShown = ({ registered = [] }: OrderFacts) =>
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
  const orders = ordersTold(facts)
  const known = new Set([...chargedBy(allHeard(facts)).keys(), ...orders.flatMap(chargesShown)])
  const returned = new Map<string, bigint>()
  for (const order of orders)
    for (const { paymentId, tenge } of (order.refundsSeen ?? []).filter(isOfCharge(order))) {
      const isKnown = paymentId !== null && known.has(paymentId)
      const key = isKnown ? paymentId : ''
      if (isKnown || orderIds.has(order.id)) returned.set(key, (returned.get(key) ?? 0n) + tenge)
    }
  return returned
}

/** Orders that these confirms, or others of the same payments, are for. */
function ordersOf(attempts: AttemptFacts[], facts: CaseFacts) {
  const payments = new Set(attempts.flatMap(({ paymentId }) => paymentId ?? []))
  const others = allHeard(facts).filter(({ paymentId }) => payments.has(paymentId ?? ''))
  return new Set([...attempts, ...others].map(({ orderIdSent }) => orderIdSent))
}

/** What of these confirms' money has not gone back: the refunds of a payment are its own. */
export function unreturnedTenge(attempts: AttemptFacts[], facts: CaseFacts): bigint {
  const returned = chargesReturned(facts, ordersOf(attempts, facts))
  const left = [...unansweredBy(attempts, facts)].map(([paymentId, tenge]) =>
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
 * What went back of an unpaid order by ids that no charge of it has, as a refund's often is one of its own: first of what
 * confirms have told of, which counts there.
 */
export function spareRefunds(order: OrderFacts, told: Map<string, bigint>) {
  if (order.confirmedAt !== null) return { told: 0n, others: 0n }
  const known = new Set<string | null>([null, ...told.keys(), ...chargesShown(order)])
  const [seen, registered] = [order.refundsSeen ?? [], order.registered ?? []]
  const strange = seen.filter(({ paymentId }) => !known.has(paymentId))
  const nameless = sumOf(seen.filter(({ paymentId }) => paymentId === null))
  // A charge without an id has what went back without one already.
  const taken = sumOf(registered.filter(isNamelessCharge))
  const tenge = sumOf(strange) + atLeastNothing(nameless - taken)
  const ofTold = lesser(tenge, sum([...told.values()]))
  return { told: ofTold, others: tenge - ofTold }
}

/** payment → what registers show to have gone back of an order's charges by it; without one under the empty text. */
export function chargesReturnedBy(order: OrderFacts): Map<string, bigint> {
  const charges = (order.refundsSeen ?? []).filter(isOfCharge(order))
  const payments = Map.groupBy(charges, ({ paymentId }) => paymentId ?? '')
  return new Map([...payments].map(([paymentId, refunds]) => [paymentId, sumOf(refunds)]))
}

const sumOf = (all: { tenge: bigint }[]) => sum(all.map(({ tenge }) => tenge))
