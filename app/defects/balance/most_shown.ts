import { CONFIRMS, type ShownMoney } from '#defects/balance/component'
import type { Purchases } from '#defects/balance/purchases'
import { sum } from '#shared/tenge'

/**
 * The rows that count of what several sources show together, so that the same money counts once: purchase by purchase the rows of
 * its payments, or all rows of one source where they are more. Rows that may be of several purchases count where the source that
 * has them shows more altogether than all purchases make.
 *
 * Payments can be compared by their ids among sources that share ids, those of paid orders among sources that know what confirms
 * name. Another source numbers them in its own way.
 *
 * Example, all of one paid order: confirms show A 12,000, a shop A 12,000 and B 5,000, a bank R7 12,000 and R8 5,000
 *     A 12,000 and B 5,000, together 17,000; the bank alone shows 17,000, no more
 */
export function chargesThatCount(charges: ShownMoney[], purchases: Purchases): ShownMoney[] {
  return mostByPurchase(charges, purchases, (own, isPaid) => {
    const isComparable = isPaid ? purchases.knowsConfirmed : purchases.sharesIds
    const ofCommonIds = paymentsOf(own.filter(({ source }) => isComparable(source)))
    const ofOwnIds = paymentsOf(own.filter(({ source }) => !isComparable(source)))
    return isPaid ? paidWith(ofCommonIds) : distinctPayments(ofCommonIds, ofOwnIds)
  })
}

/**
 * The same of what went back. A return often has an id of its own: its id can be compared where it is that of a charge, or where
 * several sources have it.
 *
 * Example: a shop shows the return of A 12,000, its bank the same as R7 12,000
 *     A 12,000; the bank alone shows 12,000, no more
 */
export function returnsThatCount(returns: ShownMoney[], purchases: Purchases): ShownMoney[] {
  const withId = Map.groupBy(returns, ({ paymentId }) => paymentId)
  const isCommon = ({ paymentId, source }: ShownMoney) =>
    paymentId !== null &&
    (purchases.isCharged(paymentId) ||
      withId.get(paymentId)!.some((other) => other.source !== source))
  const sharing = new Set(returns.filter(isCommon).map(({ source }) => source))
  return mostByPurchase(returns, purchases, (own) =>
    paymentsOf(own.filter(({ source }) => sharing.has(source))).flatMap(mostOfOneSource)
  )
}

export const sumOf = (money: ShownMoney[]): bigint => sum(money.map(({ tenge }) => tenge))

function mostByPurchase(
  money: ShownMoney[],
  purchases: Purchases,
  ofPayments: (own: ShownMoney[], isPaid: boolean) => ShownMoney[]
): ShownMoney[] {
  const perPurchase = Map.groupBy(money, (one) => purchases.purchaseOf(one))
  const parts = [...perPurchase].flatMap(([purchase, own]) =>
    purchase === null
      ? []
      : largerOf(ofPayments(own, purchases.isPaid(purchase)), mostOfOneSource(own))
  )
  return largerOf(parts, mostOfOneSource(money))
}

/**
 * Of each payment the most that one source shows. What only confirms name and what only registers name may be the same payment of
 * a paid purchase, where a register has an id of its own for this one: the larger side counts.
 */
function paidWith(payments: ShownMoney[][]): ShownMoney[] {
  const isOfBoth = (own: ShownMoney[]) => own.some(isConfirm) && !own.every(isConfirm)
  const ofOneSide = payments.filter((own) => !isOfBoth(own))
  const confirmed = ofOneSide.filter((own) => isConfirm(own[0]))
  const registered = ofOneSide.filter((own) => !isConfirm(own[0]))
  return [
    ...payments.filter(isOfBoth).flatMap(mostOfOneSource),
    ...largerOf(confirmed.flatMap(mostOfOneSource), registered.flatMap(mostOfOneSource)),
  ]
}

/**
 * Of money that bought nothing: payments with common ids are distinct. Those that a source numbers in its own way are the same as
 * others of an equal sum: of each sum as many count as the source has that shows most of them.
 *
 * Example: a late payment is confirmed as A 12,000; a register shows R1 12,000 and R2 5,000
 *     A 12,000 and R2 5,000
 */
function distinctPayments(ofCommonIds: ShownMoney[][], ofOwnIds: ShownMoney[][]): ShownMoney[] {
  const common = ofCommonIds.map((own) => ({ source: '', rows: mostOfOneSource(own) }))
  const others = ofOwnIds.flatMap((own) =>
    [...Map.groupBy(own, ({ source }) => source)].map(([source, rows]) => ({ source, rows }))
  )
  const bySum = Map.groupBy([...common, ...others], ({ rows }) => sumOf(rows))
  return [...bySum.values()].flatMap((alike) => {
    const sources = [...Map.groupBy(alike, ({ source }) => source)].toSorted(byName)
    const [most] = sources.toSorted(([, one], [, other]) => other.length - one.length)
    return most[1].flatMap(({ rows }) => rows)
  })
}

const isConfirm = ({ source }: ShownMoney) => source === CONFIRMS

function paymentsOf(money: ShownMoney[]): ShownMoney[][] {
  const named = money.filter(({ paymentId }) => paymentId !== null)
  return [...Map.groupBy(named, ({ paymentId }) => paymentId).values()]
}

function mostOfOneSource(money: ShownMoney[]): ShownMoney[] {
  const sources = [...Map.groupBy(money, ({ source }) => source)].toSorted(byName)
  return sources.map(([, own]) => own).reduce(largerOf, [])
}

const largerOf = (one: ShownMoney[], other: ShownMoney[]) =>
  sumOf(other) > sumOf(one) ? other : one

/** So that the order of rows does not matter. */
const byName = ([one]: [string, unknown], [other]: [string, unknown]) => (one < other ? -1 : 1)
