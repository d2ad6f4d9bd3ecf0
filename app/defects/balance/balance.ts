import {
  CONFIRMS,
  validOf,
  type Component,
  type ComponentOrder,
  type ShownMoney,
} from '#defects/balance/component'
import { NO_EXPOSURE, type Exposure } from '#defects/facts/exposure'
import { Purchases } from '#defects/balance/purchases'
import { chargesThatCount, returnsThatCount, sumOf } from '#defects/balance/most_shown'
import { ourLosses } from '#defects/balance/our_losses'
import { acknowledgedOf, type Acknowledged } from '#defects/balance/acknowledged'
import { earliest } from '#defects/facts/facts'
import { DAY_MS } from '#shared/days'
import { atLeastNothing, lesser, sum } from '#shared/tenge'

export interface Balance {
  chargedTenge: bigint
  returnedTenge: bigint
  /** Prices of valid tickets. */
  boughtTenge: bigint
  /** Of buyers' money: what nobody has to have returned yet, and has not. */
  notYetDueTenge: bigint
  /** Prices of void tickets with which guests were admitted. */
  usedVoidTenge: bigint
  /** The rows that charged and returned are the sums of. */
  counted: ReadonlySet<ShownMoney>
  /** Returns that are dated before anything was charged: of something else, so that they do not count. */
  tooEarly: ReadonlySet<ShownMoney>
  acknowledged: Acknowledged
  /** Purchase by purchase the same three sums; what may be of several stands in none. */
  purchases: PurchaseBalance[]
  exposure: Exposure
}

export interface PurchaseBalance {
  /** Ours, and names that only registers or confirms have. */
  orderIds: string[]
  chargedTenge: bigint
  returnedTenge: bigint
  boughtTenge: bigint
}

/**
 * What a component's parties owe each other, by two equations:
 *
 *     (1)  charged − returned − bought             more than nothing: buyers are owed it; less: nobody has paid for it, or more
 *                                                  went back than had to
 *     (2)  acknowledged by registers − bought      less than nothing: the partner does not pass it on to us
 *
 * Example: order of 12,000 confirmed with payment A; a register shows A and B of 12,000 each for it
 *     charged 24,000, returned 0, bought 12,000  →  buyer 12,000
 * Example: the register has no row of the order
 *     charged 12,000, returned 0, bought 12,000; acknowledged 0  →  platform 12,000
 *
 * Of both equations each ticket counts once among our losses (`our_losses.ts`).
 */
export function balanceOf(component: Component): Balance {
  const purchases = new Purchases(component)
  const tooEarly = returnsBeforeCharges(component.money)
  const money = component.money.filter((one) => !tooEarly.has(one))
  const charges = money.filter(({ kind }) => kind === 'charge')
  const returns = money.filter(({ kind }) => kind === 'return')
  const countedCharges = chargesThatCount(charges, purchases)
  const countedReturns = returnsThatCount(returns, purchases)
  const [chargedTenge, returnedTenge] = [sumOf(countedCharges), sumOf(countedReturns)]
  const boughtTenge = validOf(component.orders)
  const open = chargedTenge - returnedTenge - boughtTenge
  const usedVoidTenge = sum(component.orders.map((order) => order.usedVoidTenge))
  const notYetDueTenge = notYetDueOf(component.orders, countedReturns, chargedTenge - boughtTenge)
  const sources = registerSourcesOf(component)
  const acknowledged = acknowledgedOf({ ...component, money }, countedReturns, sources, purchases)
  return {
    chargedTenge,
    returnedTenge,
    boughtTenge,
    notYetDueTenge,
    usedVoidTenge,
    counted: new Set([...countedCharges, ...countedReturns]),
    tooEarly,
    acknowledged,
    purchases: byPurchase(component, { charges, returns }, purchases),
    exposure: {
      buyer: atLeastNothing(open - usedVoidTenge - notYetDueTenge),
      platform: ourLosses({
        orders: component.orders,
        charges,
        countedCharges,
        countedReturns,
        acknowledged,
        purchases,
      }),
      partner: 0n,
    },
  }
}

/** The balance of what nobody has to look at. */
export const NOTHING_OPEN: Balance = {
  chargedTenge: 0n,
  returnedTenge: 0n,
  boughtTenge: 0n,
  notYetDueTenge: 0n,
  usedVoidTenge: 0n,
  counted: new Set(),
  tooEarly: new Set(),
  acknowledged: { tenge: 0n, bySource: [], lacking: new Map() },
  purchases: [],
  exposure: NO_EXPOSURE,
}

/**
 * Of void tickets whose price is not yet due, what has not gone back all the same: returns of their own payments have, and others
 * beyond what is due.
 */
function notYetDueOf(orders: ComponentOrder[], returns: ShownMoney[], unusedTenge: bigint): bigint {
  const notYetDue = sum(orders.map((order) => order.notYetDueTenge))
  if (notYetDue === 0n) return 0n
  const byPayment = Map.groupBy(returns, ({ paymentId }) => paymentId)
  const ofOwnPayments = sum(
    orders.map(({ paymentId, notYetDueTenge }) => {
      const own = paymentId === null ? [] : (byPayment.get(paymentId) ?? [])
      return lesser(sumOf(own), notYetDueTenge)
    })
  )
  const dueTenge = atLeastNothing(unusedTenge - notYetDue)
  const others = atLeastNothing(sumOf(returns) - ofOwnPayments - dueTenge)
  return atLeastNothing(notYetDue - ofOwnPayments - others)
}

/** Nothing goes back before it was taken: such a row is of something else. Days may differ by one. */
function returnsBeforeCharges(money: ShownMoney[]): ReadonlySet<ShownMoney> {
  const charges = money.filter(({ kind }) => kind === 'charge')
  const returns = money.filter(({ kind }) => kind === 'return')
  if (charges.length === 0) return new Set(returns)
  const moments = charges.flatMap(({ at }) => (at === null ? [] : at))
  const firstAt = moments.length === charges.length ? earliest(moments) : -Infinity
  return new Set(returns.filter(({ at }) => at !== null && at < firstAt - DAY_MS))
}

const registerSourcesOf = ({ money, lacked }: Component) => {
  const sources = new Set([...money, ...lacked].map(({ source }) => source))
  sources.delete(CONFIRMS)
  return [...sources]
}

function byPurchase(
  { orders }: Component,
  { charges, returns }: Record<'charges' | 'returns', ShownMoney[]>,
  purchases: Purchases
): PurchaseBalance[] {
  const of = (money: ShownMoney[]) => Map.groupBy(money, (one) => purchases.purchaseOf(one))
  const [charged, returned] = [of(charges), of(returns)]
  const ordered = Map.groupBy(orders, ({ id }) => purchases.ofOrder(id))
  const keys = new Set([...ordered.keys(), ...charged.keys()].filter((key) => key !== null))
  return [...keys].map((key) => {
    const own = ordered.get(key) ?? []
    const named = (charged.get(key) ?? []).flatMap(({ orderIds }) => orderIds)
    const ofPurchase = named.filter((id) => purchases.ofOrder(id) === key)
    const orderIds = [...new Set([...own.map(({ id }) => id), ...ofPurchase])]
    return {
      orderIds: orderIds.length > 0 ? orderIds : [key],
      chargedTenge: sumOf(chargesThatCount(charged.get(key) ?? [], purchases)),
      returnedTenge: sumOf(returnsThatCount(returned.get(key) ?? [], purchases)),
      boughtTenge: sum(own.map(({ validTenge }) => validTenge)),
    }
  })
}
