import { sumOf, type ShownMoney } from '#defects/balance/component'
import type { Purchases } from '#defects/balance/purchases'
import { DisjointSets } from '#shared/disjoint_sets'
import { max } from '#shared/tenge'

/**
 * The charges that count of what several sources show together, so that the same money counts once. Of each purchase these are,
 * whichever are more:
 *
 *   - payment by payment the most that one source shows, of sources whose ids can be compared
 *   - the same of registers that split the sales between them (`smallestSplit`)
 *   - all charges of one source: others may number the same payments in their own way
 *
 * Of a purchase that was paid, a source's own number is a known payment under another name. Of one that was never paid, it may be a
 * further payment if its sum is another one: there the first two count together, and own numbers of other sums with them
 * (`distinctPayments`).
 *
 * Example, of a paid purchase: confirms show A 12,000, cards A 12,000, wallets B 12,000
 *     A 12,000 and B 12,000, where cards and wallets are known to number payments as confirms do, and one of them to show a part of
 *     the sales; else 12,000
 * Example, of a paid purchase: confirms show A 12,000, a shop A 12,000 and B 5,000, a bank R7 12,000 and R8 5,000
 *     A 12,000 and B 5,000, together 17,000; the bank alone shows 17,000, no more
 */
export function dedupeCharges(charges: ShownMoney[], purchases: Purchases): ShownMoney[] {
  return dedupeByPurchase(charges, purchases, (own, purchase) => {
    const comparable = own.filter(({ source }) => purchases.hasComparableIds(source, purchase))
    const splits = possibleSplits(own, purchases)
    const counts = purchases.isPaid(purchase)
      ? splits.map((split) => largerOf(paymentsOf(comparable).flatMap(largestSource), split))
      : splits.map((split) => distinctPayments(new Set([...comparable, ...split]), own))
    // Of several splits that are possible the one that agrees best with the comparable ids leaves least.
    return counts.reduce(smallerOf)
  })
}

/**
 * The same of what went back. Two sources have one numbering if one id of a return stands in both; ids of charges are one numbering.
 * The same return may stand in several numberings, so only the one counts that shows most. Registers that split the sales between
 * them show different returns, each of its own charge.
 *
 * Example: a shop shows the return of A 12,000, its bank the same as R7 12,000
 *     A 12,000; the bank alone shows 12,000, no more
 * Example: a register of refunds shows R7 12,000, too
 *     12,000: bank and refunds have one numbering, and the shop has another one
 */
export function dedupeReturns(returns: ShownMoney[], purchases: Purchases): ShownMoney[] {
  const numberings = numberingsOf(returns, purchases)
  const chargeOf = ({ paymentId, source }: ShownMoney, purchase: string) =>
    paymentId !== null && purchases.isCharged(paymentId)
      ? paymentId
      : purchases.chargeReturnedBy(source, purchase)
  return dedupeByPurchase(returns, purchases, (own, purchase) => {
    const numbered = own.filter(({ source }) => numberings.has(source))
    const alike = Map.groupBy(numbered, ({ source }) => numberings.get(source)!)
    const counts = [...alike].toSorted(byName).map(([, each]) => {
      return paymentsOf(each).flatMap(largestSource)
    })
    const split = smallestSplit(own, purchases, (one) => chargeOf(one, purchase))
    return [...counts, split].reduce(largerOf)
  })
}

/** Source → its numbering of returns; sources whose ids no other one has are left out. */
function numberingsOf(returns: ShownMoney[], purchases: Purchases): ReadonlyMap<string, string> {
  const withId = Map.groupBy(returns, ({ paymentId }) => paymentId)
  const numberings = new DisjointSets<string>((one, other) => one < other)
  const sources = new Set<string>()
  for (const { paymentId, source } of returns) {
    if (paymentId === null) continue
    const isOfCharge = purchases.isChargedElsewhere(paymentId, source)
    const isReturnedElsewhere = withId.get(paymentId)!.some((other) => other.source !== source)
    if (!isOfCharge && !isReturnedElsewhere) continue
    sources.add(source)
    if (isOfCharge) numberings.join(`source ${source}`, 'charges')
    if (isReturnedElsewhere) numberings.join(`source ${source}`, `return ${paymentId}`)
  }
  return new Map([...sources].map((source) => [source, numberings.rootOf(`source ${source}`)]))
}

/**
 * Money of registers that are known to number payments as confirms do, payment by payment: of those that show a part of the sales,
 * and of one that shows all. Two that show all have the same sale each, and a wrong id in one of them is no second charge: that
 * one counts which agrees best with what else is known, so that there is least.
 *
 * Example: of one purchase cards show A 12,000, wallets B 12,000
 *     24,000, where one of both shows a part of the sales; 12,000 where both show all
 */
export const smallestSplit = (
  own: ShownMoney[],
  purchases: Purchases,
  paymentOf: PaymentOf = namedPayment
): ShownMoney[] => possibleSplits(own, purchases, paymentOf).reduce(smallerOf)

/**
 * The same once for each source that shows all sales, where several of them show most: any one of them may count. Confirms are left
 * out: a row with another id instead of the confirm's is the same payment.
 */
function possibleSplits(
  own: ShownMoney[],
  purchases: Purchases,
  paymentOf: PaymentOf = namedPayment
): ShownMoney[][] {
  const shown = Map.groupBy(own, ({ source }) => purchases.salesShownBy(source))
  const withPart = shown.get('part') ?? []
  const all = Map.groupBy(shown.get('all') ?? [], ({ source }) => source)
  const withAll = [...all].toSorted(byName).map(([, ofSource]) => ofSource)
  const most = withAll.map(sumOf).reduce(max, 0n)
  const fullest = withAll.filter((ofSource) => sumOf(ofSource) === most)
  return (fullest.length > 0 ? fullest : [[]]).map((ofSource) =>
    paymentsOf([...ofSource, ...withPart], paymentOf).flatMap(largestSource)
  )
}

/**
 * Purchase by purchase what `dedupeByPayment` leaves, or all that one source shows where that is more. Rows that may be of several
 * purchases count only if one source shows more of the whole group, with them, than its purchases have one by one.
 *
 * Example: three rows of 12,000 without a payment, each of order 1 or 2
 *     of no purchase alone; of the group 36,000
 */
function dedupeByPurchase(
  money: ShownMoney[],
  purchases: Purchases,
  dedupeByPayment: (own: ShownMoney[], purchase: string) => ShownMoney[]
): ShownMoney[] {
  // A single source never shows the same money twice, so all its rows count.
  if (money.every(({ source }) => source === money[0].source)) return money
  const groups = Map.groupBy(money, (one) => purchases.groupOfRow(one))
  return [...groups.values()].flatMap((group) => {
    const perPurchase = Map.groupBy(group, (one) => purchases.purchaseOfRow(one))
    const certain = [...perPurchase].flatMap(([purchase, own]) =>
      purchase === null ? [] : largerOf(dedupeByPayment(own, purchase), largestSource(own))
    )
    return largerOf(certain, largestSource(group))
  })
}

/** One payment, by one numbering: that of all sources with comparable ids, or a source's own. */
interface NumberedPayment {
  numbering: string
  rows: ShownMoney[]
}
/** No source has this name. */
const COMPARABLE = ''

/**
 * Payments with comparable ids are distinct. Those that a source numbers in its own way are the same as others of an equal sum: of
 * each sum the payments of the numbering count that has most of them; of numberings with equally many the comparable one.
 *
 * Example: confirms and a shop show a late payment A 12,000; a bank R1 12,000 and R2 5,000
 *     A 12,000 and R2 5,000
 */
function distinctPayments(comparable: ReadonlySet<ShownMoney>, all: ShownMoney[]): ShownMoney[] {
  const others = all.filter((one) => !comparable.has(one))
  const ofComparable = paymentsOf([...comparable]).map((own): NumberedPayment => {
    return { numbering: COMPARABLE, rows: largestSource(own) }
  })
  const ofOthers = paymentsOf(others).flatMap((own) =>
    [...Map.groupBy(own, ({ source }) => source)].map(([source, rows]): NumberedPayment => {
      return { numbering: source, rows }
    })
  )
  const bySum = Map.groupBy([...ofComparable, ...ofOthers], ({ rows }) => sumOf(rows))
  return [...bySum.values()].flatMap((alike) => {
    const numberings = [...Map.groupBy(alike, ({ numbering }) => numbering)].toSorted(byName)
    const [most] = numberings.toSorted(([, one], [, other]) => other.length - one.length)
    return most[1].flatMap(({ rows }) => rows)
  })
}

type PaymentOf = (one: ShownMoney) => string | null
const namedPayment: PaymentOf = ({ paymentId }) => paymentId

/** Rows payment by payment; what has no payment is left out. */
function paymentsOf(money: ShownMoney[], paymentOf: PaymentOf = namedPayment): ShownMoney[][] {
  const named = money.filter((one) => paymentOf(one) !== null)
  return [...Map.groupBy(named, paymentOf).values()]
}

/** The money of the source that shows most of it; of equals the first by name, so that the order of rows does not matter. */
export function largestSource(money: ShownMoney[]): ShownMoney[] {
  const sources = [...Map.groupBy(money, ({ source }) => source)].toSorted(byName)
  return sources.map(([, own]) => own).reduce(largerOf, [])
}

const largerOf = (one: ShownMoney[], other: ShownMoney[]) =>
  sumOf(other) > sumOf(one) ? other : one
const smallerOf = (one: ShownMoney[], other: ShownMoney[]) =>
  sumOf(other) < sumOf(one) ? other : one

const byName = ([one]: [string, unknown], [other]: [string, unknown]) => (one < other ? -1 : 1)
