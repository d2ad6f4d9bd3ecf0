import { CONFIRMS, type ShownMoney } from '#defects/balance/component'
import type { Purchases } from '#defects/balance/purchases'
import { larger, sum } from '#shared/tenge'

/**
 * How much several sources show together, the same money once:
 *
 *  - of a payment that confirms and registers name, the most that one source shows of it;
 *  - of payments that confirms alone or registers alone name, purchase by purchase the larger of both sums: a register may
 *    number the confirmed payments in its own way;
 *  - at least what one source shows altogether, with what names no payment.
 *
 * Example, all of one order: confirms show A 12,000; a shop shows A 12,000 and S9 5,000; a bank shows A 12,000 and B7 5,000
 *     A 12,000 + the larger of nothing (confirms) and 5,000 (registers) = 17,000; one source shows 17,000 at most
 */
export function mostShown(money: ShownMoney[], purchases: Purchases): bigint {
  const named = money.filter(({ paymentId }) => paymentId !== null)
  const payments = [...Map.groupBy(named, ({ paymentId }) => paymentId).values()]
  const isKnownToBoth = (own: ShownMoney[]) => own.some(isConfirm) && !own.every(isConfirm)
  const known = payments.filter(isKnownToBoth)
  const others = payments.filter((own) => !isKnownToBoth(own)).flat()
  const perPurchase = Map.groupBy(others, (one) => purchases.purchaseOf(one) ?? one.paymentId)
  const byPayment =
    sum(known.map(mostOfOneSource)) + sum([...perPurchase.values()].map(largerOfBothSides))
  return larger(byPayment, mostOfOneSource(money))
}

const isConfirm = ({ source }: ShownMoney) => source === CONFIRMS

function largerOfBothSides(money: ShownMoney[]): bigint {
  const confirmed = sumOf(money.filter(isConfirm))
  return larger(confirmed, shownByRegisters(money.filter((one) => !isConfirm(one))))
}

/** Registers may share their ids, or number payments each in its own way: a shop and its bank. */
function shownByRegisters(money: ShownMoney[]): bigint {
  const payments = [...Map.groupBy(money, ({ paymentId }) => paymentId).values()]
  const isShared = (own: ShownMoney[]) => own.some(({ source }) => source !== own[0].source)
  const shared = sum(payments.filter(isShared).map(mostOfOneSource))
  return shared + mostOfOneSource(payments.filter((own) => !isShared(own)).flat())
}

function mostOfOneSource(money: ShownMoney[]): bigint {
  const sources = [...Map.groupBy(money, ({ source }) => source).values()]
  return sources.map(sumOf).reduce(larger, 0n)
}

const sumOf = (money: ShownMoney[]) => sum(money.map(({ tenge }) => tenge))
