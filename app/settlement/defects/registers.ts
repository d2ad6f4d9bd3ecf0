import {
  finding,
  type CaseFacts,
  type Finding,
  type OrderFacts,
  type Party,
  type VoidFacts,
} from '#settlement/defects/facts'
import { allHeard, atLeastNothing, chargedBy, lesser, sum } from '#settlement/defects/charges'
import { doubledOrders } from '#settlement/defects/duplicates'

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

/** Group G: one finding for each thing that a register says of an order. */
export function againstRegister({ orders, unknown = [] }: CaseFacts): Finding[] {
  const told = [
    ...orders.flatMap((order) => said(order).map((one) => ({ ...one, id: order.id }))),
    ...unknown,
  ]
  return told.map(({ id, code, tenge, party, paymentIds, evidence }) =>
    finding({
      ...{ code, severity: SEVERITY[code], orderId: id, paymentId: paymentIds[0] ?? null },
      ...{ exposureTenge: tenge, exposureParty: tenge > 0n ? party : 'NONE' },
      ...{ fault: code === 'MISSING_AT_PARTNER' ? 'UNKNOWN' : 'PARTNER', evidence },
    })
  )
}

const voidedTenge = (voids: VoidFacts[]) => sum(voids.map(({ priceTenge }) => priceTenge))
const isOfEvent = ({ cause }: VoidFacts) => cause === 'event_cancelled'

/** Refunds of payments that the order was not paid with: money that came too late, or twice. */
const isOfCharge =
  ({ confirmedAt, payment, attempts }: OrderFacts) =>
  ({ paymentId }: RefundSeen) =>
    confirmedAt === null ||
    (paymentId !== null && paymentId !== payment?.paymentId && chargedBy(attempts).has(paymentId))

/** Of a second charge that only the register knows, likewise; no confirm has told of that money. */
const isOfUnheard =
  ({ registered = [] }: OrderFacts) =>
  ({ paymentId }: RefundSeen) =>
    registered.some(
      ({ code, paymentIds }) =>
        code === 'MISSING_AT_PLATFORM' && paymentId !== null && paymentIds.includes(paymentId)
    )

/** What registers show to have gone back of what bought nothing. */
export const chargeReturnedTenge = (order: OrderFacts) =>
  sum((order.refundsSeen ?? []).filter(isOfCharge(order)).map(({ tenge }) => tenge))

/** Of the tickets' prices, in the order of who tells of it: what is still to go back, of a cancelled event and otherwise. */
export function openRefunds(order: OrderFacts) {
  const [isCharge, isUnheard] = [isOfCharge(order), isOfUnheard(order)]
  const seen = (order.refundsSeen ?? []).filter((one) => !isCharge(one) && !isUnheard(one))
  const returned = sum(seen.map(({ tenge }) => tenge))
  const voided = voidedTenge(order.voids)
  const missing = atLeastNothing(voided - returned)
  const ofEvent = lesser(missing, voidedTenge(order.voids.filter(isOfEvent)))
  return { ofEvent, others: missing - ofEvent, beyond: atLeastNothing(returned - voided) }
}

const OF_REFUNDS = ['VOID_WITHOUT_REFUND', 'REFUND_WITHOUT_VOID', 'REFUND_SUM_MISMATCH']

/**
 * What registers say of an order as far as it still holds: a refund may stand in a later one, a void may have come after it.
 * Of a cancelled event EVENT_CANCELLED_REFUND_DUE tells what is not yet returned.
 */
function said(order: OrderFacts): RegisterFacts[] {
  if (!order.registered) return []
  const { others, beyond } = openRefunds(order)
  const left = { BUYER: others, PLATFORM: beyond, PARTNER: 0n, NONE: 0n }
  return order.registered.flatMap((fact) => {
    if (fact.code === 'MISSING_AT_PLATFORM') return lessReturned(fact, order)
    if (!OF_REFUNDS.includes(fact.code)) return fact
    const tenge = lesser(fact.tenge, left[fact.party])
    left[fact.party] -= tenge
    return tenge > 0n ? { ...fact, tenge } : []
  })
}

/** A second charge of a paid order without what registers show to have gone back of it. */
function lessReturned(fact: RegisterFacts, { confirmedAt, refundsSeen = [] }: OrderFacts) {
  if (confirmedAt === null) return fact
  const isOf = ({ paymentId }: RefundSeen) =>
    paymentId !== null && fact.paymentIds.includes(paymentId)
  const returned = sum(refundsSeen.filter(isOf).map(({ tenge }) => tenge))
  return { ...fact, tenge: atLeastNothing(fact.tenge - returned) }
}

/** Buyers' money that registers show and no confirm does: what a confirm told of is counted there. */
export function unheardTenge(facts: CaseFacts): bigint {
  const told = chargedBy(allHeard(facts))
  const paid = new Set(facts.orders.map(({ payment }) => payment?.paymentId))
  const isUnpaidTold = [...told.keys()].some((paymentId) => !paid.has(paymentId))
  return sumOf(facts, 'BUYER', ({ code, paymentIds }) => {
    if (code !== 'MISSING_AT_PLATFORM') return true
    return paymentIds.length > 0 ? !paymentIds.some((id) => told.has(id)) : !isUnpaidTold
  })
}

/** What registers leave the partner owing us; that a doubled order is missing is told of its payment already. */
export function owedTenge(facts: CaseFacts): bigint {
  const doubled = doubledOrders(facts)
  const orders = facts.orders.map((order) =>
    doubled.has(order.id)
      ? {
          ...order,
          registered: order.registered?.filter(({ code }) => code !== 'MISSING_AT_PARTNER'),
        }
      : order
  )
  return sumOf({ ...facts, orders }, 'PLATFORM', () => true)
}

function sumOf(
  { orders, unknown = [] }: CaseFacts,
  party: Party,
  counts: (one: RegisterFacts) => boolean
) {
  const all = [...orders.flatMap(said), ...unknown]
  return sum(all.filter((one) => one.party === party && counts(one)).map(({ tenge }) => tenge))
}
