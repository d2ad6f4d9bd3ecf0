import {
  distinct,
  finding,
  type AttemptFacts,
  type CaseFacts,
  type Finding,
  type OrderFacts,
  type Party,
  type VoidFacts,
} from '#settlement/defects/facts'
import { allHeard, chargedBy, heardOf, unansweredBy } from '#settlement/defects/charges'
import { doubledOrders } from '#settlement/defects/duplicates'
import { atLeastNothing, lesser, sum } from '#shared/tenge'

/** What a partner's confirmed register says against us, or against itself. */
export interface RegisterFacts {
  code:
    | 'MISSING_AT_PLATFORM'
    | 'MISSING_AT_PARTNER'
    | 'VOID_WITHOUT_REFUND'
    | 'REFUND_WITHOUT_VOID'
    | 'REFUND_SUM_MISMATCH'
  tenge: bigint
  party: Party
  /** Its order waited for its payment then: it may be what was paid in the end. */
  isOfPending?: boolean
  /** Of the register's rows. */
  paymentIds: string[]
  /** Register and lines: where it stands. */
  evidence: string[]
}

/** A row of a register that gives money back. */
export interface RefundSeen {
  tenge: bigint
  paymentId: string | null
}

/** Rows of a register whose order we never had. */
export interface UnknownMoney extends RegisterFacts {
  /** What the partner calls it. */
  id: string
  at: number
}

const SEVERITY = {
  ...({ MISSING_AT_PLATFORM: 'HIGH', MISSING_AT_PARTNER: 'HIGH' } as const),
  ...({ VOID_WITHOUT_REFUND: 'MEDIUM', REFUND_WITHOUT_VOID: 'HIGH' } as const),
  ...({ REFUND_SUM_MISMATCH: 'MEDIUM' } as const),
}

/** Group G: one finding for each kind of thing that registers say of an order. */
export function againstRegister({ orders, unknown = [] }: CaseFacts): Finding[] {
  const told = new Map<string, Told>()
  for (const order of orders) for (const one of said(order)) tell({ ...one, id: order.id }, told)
  for (const one of unknown) tell(one, told)
  return [...told.values()].map(({ id, code, tenge, party, paymentIds, evidence }) =>
    finding({
      ...{ code, severity: SEVERITY[code], orderId: id, paymentId: paymentIds[0] ?? null },
      ...{ exposureTenge: tenge, exposureParty: tenge > 0n ? party : 'NONE' },
      ...{ fault: code === 'MISSING_AT_PARTNER' ? 'UNKNOWN' : 'PARTNER', evidence },
    })
  )
}

type Told = RegisterFacts & { id: string }

function tell(one: Told, told: Map<string, Told>) {
  const key = `${one.code} ${one.id}`
  const known = told.get(key)
  const tenge = one.tenge + (known?.tenge ?? 0n)
  const evidence = distinct([...(known?.evidence ?? []), ...one.evidence])
  told.set(key, { ...(known ?? one), tenge, evidence })
}

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
  const known = new Set([
    ...chargedBy(allHeard(facts)).keys(),
    ...facts.orders.flatMap(chargesShown),
  ])
  const returned = new Map<string, bigint>()
  for (const order of facts.orders)
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
  const returned = sum(seen.map(({ tenge }) => tenge))
  const voided = voidedTenge(order.voids)
  const missing = atLeastNothing(voided - returned)
  const ofEvent = lesser(missing, voidedTenge(order.voids.filter(isOfEvent)))
  return { ofEvent, others: missing - ofEvent, beyond: atLeastNothing(returned - voided) }
}

/**
 * What registers say of an order as far as it still holds: a refund may stand in a later one, a void may have come after it.
 * Of a cancelled event EVENT_CANCELLED_REFUND_DUE tells what is not yet returned.
 */
function said(order: OrderFacts): RegisterFacts[] {
  if (!order.registered) return []
  const { ofEvent, others, beyond } = openRefunds(order)
  const left = { BUYER: others, PLATFORM: beyond, PARTNER: 0n, NONE: 0n }
  const told = chargedBy(heardOf(order))
  const spare = spareRefunds(order, told)
  const openOf = (fact: RegisterFacts) => {
    if (fact.isOfPending && (order.status === 'pending' || order.confirmedAt !== null)) return 0n
    if (fact.code === 'MISSING_AT_PLATFORM') {
      const of = fact.paymentIds.some((id) => told.has(id)) ? 'told' : 'others'
      const open = atLeastNothing(fact.tenge - returnedOf(fact, order))
      const back = lesser(open, spare[of])
      spare[of] -= back
      return open - back
    }
    // What is void was not to be passed on to us.
    if (fact.code === 'MISSING_AT_PARTNER')
      return lesser(fact.tenge, order.totalTenge - others - ofEvent)
    const tenge = lesser(fact.tenge, left[fact.party])
    left[fact.party] -= tenge
    return tenge
  }
  return order.registered
    .map((fact) => ({ ...fact, tenge: openOf(fact) }))
    .filter(({ tenge }) => tenge > 0n)
}

/**
 * What went back of an unpaid order by ids that no charge of it has, as a refund's often is one of its own: first of what
 * confirms have told of, which counts there.
 */
function spareRefunds(order: OrderFacts, told: Map<string, bigint>) {
  const known = new Set([...told.keys(), ...chargesShown(order)])
  // A charge without an id has what went back without one already.
  const isNameless = (order.registered ?? []).some(isNamelessCharge)
  const isSpare = ({ paymentId }: RefundSeen) =>
    paymentId === null ? !isNameless : !known.has(paymentId)
  const refunds = order.confirmedAt === null ? (order.refundsSeen ?? []).filter(isSpare) : []
  const tenge = sum(refunds.map((refund) => refund.tenge))
  const ofTold = lesser(tenge, sum([...told.values()]))
  return { told: ofTold, others: tenge - ofTold }
}

/** What registers show to have gone back of a charge. */
function returnedOf({ paymentIds }: RegisterFacts, order: OrderFacts) {
  const isOf = ({ paymentId }: RefundSeen) =>
    paymentId === null ? paymentIds.length === 0 : paymentIds.includes(paymentId)
  const charges = (order.refundsSeen ?? []).filter(isOfCharge(order))
  return sum(charges.filter(isOf).map(({ tenge }) => tenge))
}

/** Buyers' money that registers show and no confirm does: what a confirm told of is counted there. */
export function unheardTenge(facts: CaseFacts): bigint {
  const told = chargedBy(allHeard(facts))
  const paid = new Set(facts.orders.map(({ payment }) => payment?.paymentId))
  const isUnpaidTold = [...told.keys()].some((paymentId) => !paid.has(paymentId))
  const heard = without('MISSING_AT_PLATFORM', facts, isToldNameless)
  return sumOf(heard, 'BUYER', ({ code, paymentIds }) => {
    if (code !== 'MISSING_AT_PLATFORM') return true
    return paymentIds.length > 0 ? !paymentIds.some((id) => told.has(id)) : !isUnpaidTold
  })
}

/** Whether a confirm without a payment id has told of an unpaid order's money already. */
function isToldNameless(order: OrderFacts) {
  const heard = heardOf(order).filter(({ amountTenge }) => amountTenge !== null)
  const isNameless = heard.length > 0 && heard.every(({ paymentId }) => !paymentId)
  return order.confirmedAt === null && isNameless
}

/** What registers leave the partner owing us; that a doubled order is missing is told of its payment already. */
export function owedTenge(facts: CaseFacts): bigint {
  const doubled = doubledOrders(facts)
  const told = without('MISSING_AT_PARTNER', facts, ({ id }) => doubled.has(id))
  return sumOf(told, 'PLATFORM', () => true)
}

/** The same story, in which registers don't say this of some orders. */
function without(
  code: RegisterFacts['code'],
  facts: CaseFacts,
  isOne: (order: OrderFacts) => boolean
): CaseFacts {
  const leftOut = (order: OrderFacts) => ({
    ...order,
    registered: order.registered?.filter((fact) => fact.code !== code),
  })
  return { ...facts, orders: facts.orders.map((one) => (isOne(one) ? leftOut(one) : one)) }
}

function sumOf(
  { orders, unknown = [] }: CaseFacts,
  party: Party,
  counts: (one: RegisterFacts) => boolean
) {
  const all = [...orders.flatMap(said), ...unknown]
  return sum(all.filter((one) => one.party === party && counts(one)).map(({ tenge }) => tenge))
}
