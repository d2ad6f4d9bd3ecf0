import { CONFIRMS, type ShownMoney } from '#defects/balance/component'
import type { Purchases } from '#defects/balance/purchases'
import { larger, sum } from '#shared/tenge'

/**
 * How much several sources show together, the same money once: of each payment the most that one source shows of it, and at least
 * what one source shows altogether, with what names no payment.
 *
 * A register may number the payments of paid orders in its own way. What only confirms name and what only registers name may then
 * be the same: of such a purchase the larger sum counts. A register that knows none of the confirmed payments is compared by sums.
 *
 * Example, all of one paid order: confirms show A 12,000, a shop A 12,000 and B 5,000, a bank R7 12,000 and R8 5,000
 *     A 12,000 + B 5,000 = 17,000, or what the bank shows, 17,000: together 17,000
 */
export function mostShown(money: ShownMoney[], purchases: Purchases): bigint {
  const withOwnIds = sourcesWithOwnIds(money, purchases)
  const named = money.filter(({ paymentId }) => paymentId !== null)
  const perPurchase = Map.groupBy(named, (one) => purchases.purchaseOf(one))
  const parts = [...perPurchase].map(([purchase, own]) => {
    const [apart, together] = split(own, ({ source }) => withOwnIds.has(source))
    return larger(ofPayments(together, purchases.isPaid(purchase)), mostOfOneSource(apart))
  })
  return larger(sum(parts), mostOfOneSource(money))
}

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

function ofPayments(money: ShownMoney[], isPaid: boolean): bigint {
  const payments = [...Map.groupBy(money, ({ paymentId }) => paymentId).values()]
  const isOfBoth = (own: ShownMoney[]) => own.some(isConfirm) && !own.every(isConfirm)
  const [known, others] = split(payments, isOfBoth)
  const [confirmed, registered] = split(others, (own) => isConfirm(own[0])).map(mostOfEach)
  return mostOfEach(known) + (isPaid ? larger(confirmed, registered) : confirmed + registered)
}

const isConfirm = ({ source }: ShownMoney) => source === CONFIRMS

const mostOfEach = (payments: ShownMoney[][]): bigint => sum(payments.map(mostOfOneSource))

function mostOfOneSource(money: ShownMoney[]): bigint {
  const sources = [...Map.groupBy(money, ({ source }) => source).values()]
  return sources.map((own) => sum(own.map(({ tenge }) => tenge))).reduce(larger, 0n)
}

/** Those that are, and those that are not. */
function split<One>(all: One[], is: (one: One) => boolean): [One[], One[]] {
  return [all.filter(is), all.filter((one) => !is(one))]
}
