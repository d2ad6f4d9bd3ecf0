import { CONFIRMS, type ShownMoney } from '#defects/balance/component'
import type { Purchases } from '#defects/balance/purchases'
import { sum } from '#shared/tenge'

/**
 * The rows that count of what several sources show together, so that the same money counts once. Of each payment they are the
 * rows of the source that shows most of it; where one source alone shows more than that, with what names no payment, they are
 * its rows.
 *
 * A register may number the payments of paid orders in its own way. What only confirms name and what only registers name may then
 * be the same: of such a purchase the larger sum counts. A register that knows none of the confirmed payments is compared by sums.
 *
 * Example, all of one paid order: confirms show A 12,000, a shop A 12,000 and B 5,000, a bank R7 12,000 and R8 5,000
 *     A 12,000 + B 5,000 = 17,000, or what the bank shows, 17,000: the rows of A and B, together 17,000
 */
export function mostShown(money: ShownMoney[], purchases: Purchases): ShownMoney[] {
  const withOwnIds = sourcesWithOwnIds(money, purchases)
  const named = money.filter(({ paymentId }) => paymentId !== null)
  const perPurchase = Map.groupBy(named, (one) => purchases.purchaseOf(one))
  const parts = [...perPurchase].flatMap(([purchase, own]) => {
    const [apart, together] = split(own, ({ source }) => withOwnIds.has(source))
    return largerOf(ofPayments(together, purchases.isPaid(purchase)), mostOfOneSource(apart))
  })
  return largerOf(parts, mostOfOneSource(money))
}

export const sumOf = (money: ShownMoney[]): bigint => sum(money.map(({ tenge }) => tenge))

/** Registers that name payments of paid orders, and none that a confirm has named. */
function sourcesWithOwnIds(money: ShownMoney[], purchases: Purchases): Set<string> {
  const named = money.filter(
    (one) => one.paymentId !== null && purchases.isPaid(purchases.purchaseOf(one))
  )
  const confirmed = new Set(named.filter(isConfirm).map(({ paymentId }) => paymentId))
  const sources = Map.groupBy(named, ({ source }) => source)
  const own = [...sources].filter(([, rows]) => rows.every((row) => !confirmed.has(row.paymentId)))
  return new Set(confirmed.size > 0 ? own.map(([source]) => source) : [])
}

function ofPayments(money: ShownMoney[], isPaid: boolean): ShownMoney[] {
  const payments = [...Map.groupBy(money, ({ paymentId }) => paymentId).values()]
  const isOfBoth = (own: ShownMoney[]) => own.some(isConfirm) && !own.every(isConfirm)
  const [known, others] = split(payments, isOfBoth)
  const [confirmed, registered] = split(others, (own) => isConfirm(own[0])).map(mostOfEach)
  return [
    ...mostOfEach(known),
    ...(isPaid ? largerOf(confirmed, registered) : [...confirmed, ...registered]),
  ]
}

const isConfirm = ({ source }: ShownMoney) => source === CONFIRMS

const mostOfEach = (payments: ShownMoney[][]) => payments.flatMap(mostOfOneSource)

/** The first of equal ones by name, so that the order of rows does not matter. */
function mostOfOneSource(money: ShownMoney[]): ShownMoney[] {
  const sources = [...Map.groupBy(money, ({ source }) => source)].toSorted(([one], [other]) =>
    one < other ? -1 : 1
  )
  return sources.map(([, own]) => own).reduce(largerOf, [])
}

const largerOf = (one: ShownMoney[], other: ShownMoney[]) =>
  sumOf(other) > sumOf(one) ? other : one

/** Those that are, and those that are not. */
function split<One>(all: One[], is: (one: One) => boolean): [One[], One[]] {
  return [all.filter(is), all.filter((one) => !is(one))]
}
