import type { ShownMoney } from '#defects/balance/component'
import type { Purchases } from '#defects/balance/purchases'
import { sum } from '#shared/tenge'

/**
 * The charges that count of what several sources show together, so that the same money counts once. Of each purchase these are,
 * whichever are more:
 *
 *   - payment by payment the most that one source shows, of sources whose ids can be compared
 *   - all charges of one source: others may number the same payments in their own way
 *
 * A purchase with tickets was paid with one payment, whatever sources call it; where money bought nothing, nobody knows, and a
 * payment of another sum is another one.
 *
 * Example: confirms show A 12,000, a shop A 12,000 and B 5,000, a bank R7 12,000 and R8 5,000
 *     A 12,000 and B 5,000, together 17,000; the bank alone shows 17,000, no more
 */
export function chargesThatCount(charges: ShownMoney[], purchases: Purchases): ShownMoney[] {
  return mostByPurchase(charges, purchases, (own, purchase) => {
    const isComparable = ({ source }: ShownMoney) => purchases.hasCommonIds(source, purchase)
    const ofCommonIds = paymentsOf(own.filter(isComparable))
    if (purchases.isPaid(purchase)) return ofCommonIds.flatMap(mostOfOneSource)
    const ofOwnIds = paymentsOf(own.filter((one) => !isComparable(one)))
    return distinctPayments(ofCommonIds, ofOwnIds)
  })
}

/**
 * The same of what went back. A return often has an id of its own: a source's ids can be compared where another source has one of
 * them, for a charge or a return.
 *
 * Example: a shop shows the return of A 12,000, its bank the same as R7 12,000
 *     A 12,000; the bank alone shows 12,000, no more
 */
export function returnsThatCount(returns: ShownMoney[], purchases: Purchases): ShownMoney[] {
  const withId = Map.groupBy(returns, ({ paymentId }) => paymentId)
  const isCommon = ({ paymentId, source }: ShownMoney) =>
    paymentId !== null &&
    (purchases.isChargedElsewhere(paymentId, source) ||
      withId.get(paymentId)!.some((other) => other.source !== source))
  const comparable = new Set(returns.filter(isCommon).map(({ source }) => source))
  return mostByPurchase(returns, purchases, (own) =>
    paymentsOf(own.filter(({ source }) => comparable.has(source))).flatMap(mostOfOneSource)
  )
}

export const sumOf = (money: ShownMoney[]): bigint => sum(money.map(({ tenge }) => tenge))

function mostByPurchase(
  money: ShownMoney[],
  purchases: Purchases,
  mostByPayment: (own: ShownMoney[], purchase: string) => ShownMoney[]
): ShownMoney[] {
  const groups = Map.groupBy(money, (one) => purchases.groupOf(one))
  return [...groups.values()].flatMap((group) => {
    const perPurchase = Map.groupBy(group, (one) => purchases.purchaseOf(one))
    const certain = [...perPurchase].flatMap(([purchase, own]) =>
      purchase === null ? [] : largerOf(mostByPayment(own, purchase), mostOfOneSource(own))
    )
    return largerOf(certain, mostOfOneSource(group))
  })
}

/**
 * Payments with common ids are distinct. Those that a source numbers in its own way are the same as others of an equal sum: of each
 * sum as many count as the source has that shows most of them.
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

function paymentsOf(money: ShownMoney[]): ShownMoney[][] {
  const named = money.filter(({ paymentId }) => paymentId !== null)
  return [...Map.groupBy(named, ({ paymentId }) => paymentId).values()]
}

export function mostOfOneSource(money: ShownMoney[]): ShownMoney[] {
  const sources = [...Map.groupBy(money, ({ source }) => source)].toSorted(byName)
  return sources.map(([, own]) => own).reduce(largerOf, [])
}

const largerOf = (one: ShownMoney[], other: ShownMoney[]) =>
  sumOf(other) > sumOf(one) ? other : one

/** So that the order of rows does not matter. */
const byName = ([one]: [string, unknown], [other]: [string, unknown]) => (one < other ? -1 : 1)
