import {
  distinct,
  finding,
  type CaseFacts,
  type Finding,
  type OrderFacts,
  type Party,
} from '#settlement/defects/facts'
import { allHeard, chargedBy, heardOf } from '#settlement/defects/charges'
import { doubledOrders } from '#settlement/defects/duplicates'
import { ordersTold } from '#settlement/defects/orders_told'
import type { RegisterFacts } from '#settlement/defects/register_facts'
import { chargesReturnedBy, openRefunds, spareRefunds } from '#settlement/defects/returned'
import { lesser, sum } from '#shared/tenge'

const SEVERITY = {
  ...({ MISSING_AT_PLATFORM: 'HIGH', MISSING_AT_PARTNER: 'HIGH' } as const),
  ...({ VOID_WITHOUT_REFUND: 'MEDIUM', REFUND_WITHOUT_VOID: 'HIGH' } as const),
  ...({ REFUND_SUM_MISMATCH: 'MEDIUM' } as const),
}

/** Group G: one finding for each kind of thing that registers say of an order. */
export function againstRegister(facts: CaseFacts): Finding[] {
  const told = new Map<string, Told>()
  for (const order of ordersTold(facts))
    for (const one of said(order)) tell({ ...one, id: order.id }, told)
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
  const returned = chargesReturnedBy(order)
  const openOf = (fact: RegisterFacts) => {
    if (fact.isOfPending && (order.status === 'pending' || order.confirmedAt !== null)) return 0n
    if (fact.code === 'MISSING_AT_PLATFORM') {
      const of = fact.paymentIds.some((id) => told.has(id)) ? 'told' : 'others'
      const open = fact.tenge - draw(fact, returned)
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

/** What went back of a charge: no refund is of two. */
function draw({ tenge, paymentIds }: RegisterFacts, returned: Map<string, bigint>) {
  const paymentId = paymentIds[0] ?? ''
  const left = returned.get(paymentId) ?? 0n
  const back = lesser(tenge, left)
  returned.set(paymentId, left - back)
  return back
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
  return {
    ...facts,
    orders: ordersTold(facts).map((one) => (isOne(one) ? leftOut(one) : one)),
    unknown: [],
  }
}

function sumOf(facts: CaseFacts, party: Party, counts: (one: RegisterFacts) => boolean) {
  const all = ordersTold(facts).flatMap(said)
  return sum(all.filter((one) => one.party === party && counts(one)).map(({ tenge }) => tenge))
}
