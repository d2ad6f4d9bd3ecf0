import { chargedBy, creditedAttempts, mostOf } from '#defects/rules/charges'
import { doubledOrders } from '#defects/rules/duplicates'
import { distinct, type CaseFacts, type OrderFacts } from '#defects/facts/facts'
import { finding, type Finding } from '#defects/rules/finding'
import { knownAndUnknownOrders } from '#defects/rules/known_and_unknown_orders'
import type { RegisterFacts } from '#defects/facts/register_facts'
import {
  chargesReturnedBy,
  chargesShown,
  hasOnlyNamelessConfirms,
  openRefunds,
  unallocatedRefunds,
  unreturnedByPayment,
} from '#defects/rules/returned'
import { atLeastNothing, lesser, sum } from '#shared/tenge'

const SEVERITY = {
  MISSING_AT_PLATFORM: 'HIGH',
  MISSING_AT_PARTNER: 'HIGH',
  VOID_WITHOUT_REFUND: 'MEDIUM',
  REFUND_WITHOUT_VOID: 'HIGH',
  REFUND_SUM_MISMATCH: 'MEDIUM',
} as const

/** Group G: one finding for each kind of thing that registers say of an order. */
export function againstRegister(facts: CaseFacts): Finding[] {
  return knownAndUnknownOrders(facts).flatMap((order) => {
    const told = Map.groupBy(said(order, facts), ({ code }) => code)
    return [...told].map(([code, all]) => {
      const [{ party, paymentIds }] = all
      const tenge = sum(all.map((one) => one.tenge))
      return finding({
        code,
        severity: SEVERITY[code],
        orderId: order.id,
        paymentId: paymentIds[0] ?? null,
        exposureTenge: tenge,
        exposureParty: tenge > 0n ? party : 'NONE',
        fault: code === 'MISSING_AT_PARTNER' ? 'UNKNOWN' : 'PARTNER',
        evidence: distinct(all.flatMap(({ evidence }) => evidence)).slice(0, MOST_EVIDENCE),
      })
    })
  })
}

/** A register's page has all of it. */
const MOST_EVIDENCE = 200

/**
 * What registers say of an order as far as it still holds: a refund may stand in a later one, a void may have come after it.
 * Of a cancelled event EVENT_CANCELLED_REFUND_DUE tells what is not yet returned.
 */
function said(order: OrderFacts, facts: CaseFacts): RegisterFacts[] {
  if (!order.registered) return []
  const { ofEvent, others } = openRefunds(order)
  const told = chargedBy(creditedAttempts(order))
  const spare = unallocatedRefunds(order, facts)
  const returned = chargesReturnedBy(order)
  const shown = new Set(chargesShown(order))
  // A charge that names no payment may be one that a confirm has told of.
  const unshown = [...told.keys()].filter((paymentId) => !shown.has(paymentId))
  let dueToBuyer = others
  const openOf = (fact: RegisterFacts) => {
    const { code, tenge, party, paymentIds } = fact
    if (fact.isOfPending && (order.status === 'pending' || order.confirmedAt !== null)) return 0n
    if (code === 'MISSING_AT_PLATFORM') {
      const payments = paymentIds.length > 0 ? paymentIds : ['', ...unshown]
      const open = payments.reduce(
        (left, paymentId) => left - draw(left, paymentId, returned),
        tenge
      )
      const of = paymentIds.some((id) => told.has(id)) ? 'told' : 'others'
      const back = lesser(open, spare[of])
      spare[of] -= back
      return open - back
    }
    // What is void was not to be passed on to us.
    if (code === 'MISSING_AT_PARTNER') return lesser(tenge, order.totalTenge - others - ofEvent)
    const open = lesser(tenge, party === 'BUYER' ? dueToBuyer : spare.others)
    if (party === 'BUYER') dueToBuyer -= open
    else spare.others -= open
    return open
  }
  // What went back beyond the void is of second charges first.
  const [charges, differences] = [isCharge, (one: RegisterFacts) => !isCharge(one)].map((isOne) =>
    order.registered!.filter(isOne)
  )
  return [...charges, ...differences]
    .map((fact) => ({ ...fact, tenge: openOf(fact) }))
    .filter(({ tenge }) => tenge > 0n)
}

const isCharge = ({ code }: RegisterFacts) => code === 'MISSING_AT_PLATFORM'

/** Takes what there is of a payment: no tenge of it stands for two charges. */
function draw(tenge: bigint, paymentId: string, left: Map<string, bigint>) {
  const own = left.get(paymentId) ?? 0n
  const part = lesser(tenge, own)
  left.set(paymentId, own - part)
  return part
}

/** Buyers' money that registers show beyond what confirms have told of it, which is counted there. */
export function registerOnlyTenge(facts: CaseFacts): bigint {
  const told = unreturnedByPayment(facts)
  const paid = new Set(facts.orders.map(({ payment }) => payment?.paymentId))
  const orders = knownAndUnknownOrders(facts)
  let [unheard, nameless] = [0n, 0n]
  for (const order of orders) {
    const heard = hasOnlyNamelessConfirms(order) ? mostOf(creditedAttempts(order)) : 0n
    let charged = 0n
    for (const fact of said(order, facts).filter(({ party }) => party === 'BUYER')) {
      const [paymentId = ''] = fact.paymentIds
      if (!isCharge(fact)) unheard += fact.tenge
      else if (paymentId === '' && heard === 0n) nameless += fact.tenge
      else if (!paid.has(paymentId)) charged += fact.tenge - draw(fact.tenge, paymentId, told)
    }
    unheard += atLeastNothing(charged - heard)
  }
  const shown = new Set(orders.flatMap(chargesShown))
  const unshown = [...told].map(([paymentId, tenge]) => (shown.has(paymentId) ? 0n : tenge))
  return unheard + atLeastNothing(nameless - sum(unshown))
}

/** What registers leave the partner owing us; that a doubled order is missing is told of its payment already. */
export function owedTenge(facts: CaseFacts): bigint {
  const doubled = doubledOrders(facts)
  const owed = knownAndUnknownOrders(facts).flatMap((order) =>
    said(order, facts).filter(
      ({ party, code }) =>
        party === 'PLATFORM' && !(code === 'MISSING_AT_PARTNER' && doubled.has(order.id))
    )
  )
  return sum(owed.map(({ tenge }) => tenge))
}
