import {
  CONFIRMS,
  sumOf,
  validOf,
  type Component,
  type ComponentOrder,
  type ShownMoney,
} from '#defects/balance/component'
import type { Exposure } from '#defects/facts/exposure'
import { acknowledgedOf, type Acknowledged } from '#defects/balance/acknowledged'
import { dedupeCharges, dedupeReturns } from '#defects/balance/dedupe_sources'
import { platformExposure } from '#defects/balance/platform_exposure'
import { Purchases } from '#defects/balance/purchases'
import { earliest } from '#defects/facts/facts'
import { DAY_MS, dayStart } from '#shared/days'
import { atLeastZero, min, sum } from '#shared/tenge'

export interface Balance {
  chargedTenge: bigint
  returnedTenge: bigint
  /** Prices of valid tickets. */
  boughtTenge: bigint
  /** Prices of void tickets whose refund is not due yet, less what of it has gone back early. */
  notYetDueTenge: bigint
  /** Prices of void tickets with which guests were admitted. */
  usedVoidTenge: bigint
  /** The rows that charged and returned are the sums of. */
  counted: ReadonlySet<ShownMoney>
  /** Returns that are dated before anything was charged: of something else, so that they do not count. */
  tooEarly: ReadonlySet<ShownMoney>
  acknowledged: Acknowledged
  /** Charged, returned and bought of each purchase; of several together where one row may be of any of them. */
  groups: GroupBalance[]
  exposure: Exposure
}

export interface GroupBalance {
  /** Ours, and names that only registers or confirms have. */
  orderIds: string[]
  chargedTenge: bigint
  returnedTenge: bigint
  boughtTenge: bigint
}

/**
 * What a component's parties owe each other, by two equations:
 *
 *     (1)  charged − returned − bought           above 0: buyers are owed it; below 0: tickets that nobody has paid for, or
 *                                                more went back than had to
 *     (2)  acknowledged by registers − bought    below 0: the partner does not pass it on to us
 *
 *     buyer    = (1), less what is not due yet and void tickets that were used; at least 0
 *     platform = both equations together, no ticket counted twice (`platform_exposure.ts`)
 *     partner  = 0: nothing here shows that we have billed too much
 *
 * Example: order of 12,000 confirmed with payment A; a register shows A and B of 12,000 each for it
 *     (1) 24,000 − 0 − 12,000; (2) 12,000 − 12,000              →  buyer 12,000
 * Example: the register of its day has no row of the order
 *     (1) 12,000 − 0 − 12,000; (2) 0 − 12,000                   →  platform 12,000
 * Example: the register shows the order as charged and as returned, and its tickets are valid
 *     (1) 12,000 − 12,000 − 12,000; (2) 12,000 − 12,000         →  platform 12,000
 * Example: a late payment of 91,000 for an order that expired, and an order of 90,000 that the register lacks
 *     (1) 181,000 − 0 − 90,000; (2) 0 − 90,000                  →  buyer 91,000, platform 90,000
 */
export function balanceOf(component: Component): Balance {
  const { orders } = component
  const purchases = new Purchases(component)
  const tooEarly = returnsBeforeCharges(component.money)
  const money = component.money.filter((one) => !tooEarly.has(one))
  const charges = money.filter(({ kind }) => kind === 'charge')
  const returns = money.filter(({ kind }) => kind === 'return')
  const countedCharges = dedupeCharges(charges, purchases)
  const countedReturns = dedupeReturns(returns, purchases)
  const [chargedTenge, returnedTenge] = [sumOf(countedCharges), sumOf(countedReturns)]
  const boughtTenge = validOf(orders)
  const usedVoidTenge = sum(orders.map((order) => order.usedVoidTenge))
  const notYetDueTenge = notYetDueOf(orders, countedReturns, chargedTenge - boughtTenge)
  const sources = registerSourcesOf(component)
  const counted = { charges: countedCharges, returns: countedReturns }
  const acknowledged = acknowledgedOf({ ...component, money }, counted, sources, purchases)
  const openTenge = chargedTenge - returnedTenge - boughtTenge
  return {
    chargedTenge,
    returnedTenge,
    boughtTenge,
    notYetDueTenge,
    usedVoidTenge,
    counted: new Set([...countedCharges, ...countedReturns]),
    tooEarly,
    acknowledged,
    groups: balanceByGroup(component, charges, counted, purchases),
    exposure: {
      buyer: atLeastZero(openTenge - usedVoidTenge - notYetDueTenge),
      platform: platformExposure({
        orders,
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

/**
 * Prices of void tickets that are not due yet, less what went back of them early: returns of their own payments, and other returns
 * beyond what is due.
 *
 * Example: orders 1 and 2 of 12,000, both paid with A, are void and not due; A 12,000 is returned
 *     24,000 − 12,000 = 12,000 not due yet
 * Example: order 1 of 12,000 is void and not due; B 12,000 was refused, so that it is due; R9 18,000 is returned
 *     12,000 of R9 are what is due, 6,000 went back early: 12,000 − 6,000 = 6,000 not due yet
 */
function notYetDueOf(
  orders: ComponentOrder[],
  returns: ShownMoney[],
  chargedBeyondBought: bigint
): bigint {
  const notYetDue = sum(orders.map(({ notYetDueTenge }) => notYetDueTenge))
  if (notYetDue === 0n) return 0n
  const returnsOf = Map.groupBy(returns, ({ paymentId }) => paymentId)
  const ordersOf = Map.groupBy(orders, ({ paymentId }) => paymentId)
  const ofOwnPayments = sum(
    [...ordersOf].map(([paymentId, own]) => {
      const returned = paymentId === null ? 0n : sumOf(returnsOf.get(paymentId) ?? [])
      return min(returned, sum(own.map(({ notYetDueTenge }) => notYetDueTenge)))
    })
  )
  const dueTenge = atLeastZero(chargedBeyondBought - notYetDue)
  const beyondDue = atLeastZero(sumOf(returns) - ofOwnPayments - dueTenge)
  return atLeastZero(notYetDue - ofOwnPayments - beyondDue)
}

/**
 * Nothing goes back before it was taken: such a row is of something else, and so is a return of what nobody was charged. Days may
 * differ by one, whatever the hour: many registers have days alone. Where a charge has no date, no return is too early.
 */
function returnsBeforeCharges(money: ShownMoney[]): ReadonlySet<ShownMoney> {
  const charges = money.filter(({ kind }) => kind === 'charge')
  const returns = money.filter(({ kind }) => kind === 'return')
  if (charges.length === 0) return new Set(returns)
  const moments = charges.flatMap(({ at }) => (at === null ? [] : at))
  if (moments.length < charges.length) return new Set()
  const dayBefore = dayStart(new Date(earliest(moments))).getTime() - DAY_MS
  return new Set(returns.filter(({ at }) => at !== null && at < dayBefore))
}

const registerSourcesOf = ({ money, missingOrders }: Component) => {
  const sources = new Set([...money, ...missingOrders].map(({ source }) => source))
  sources.delete(CONFIRMS)
  return [...sources]
}

/** The counted money by group, so that the groups add up to the component. */
function balanceByGroup(
  { orders }: Component,
  charges: ShownMoney[],
  counted: Record<'charges' | 'returns', ShownMoney[]>,
  purchases: Purchases
): GroupBalance[] {
  const of = (money: ShownMoney[]) => Map.groupBy(money, (one) => purchases.groupOfRow(one))
  const [shown, charged, returned] = [of(charges), of(counted.charges), of(counted.returns)]
  const ordered = Map.groupBy(orders, ({ id }) => purchases.groupOfOrder(id))
  return [...new Set([...ordered.keys(), ...shown.keys()])].map((key) => {
    const own = ordered.get(key) ?? []
    const named = (shown.get(key) ?? []).flatMap(({ orderIds }) => orderIds)
    return {
      orderIds: [...new Set([...own.map(({ id }) => id), ...named])],
      chargedTenge: sumOf(charged.get(key) ?? []),
      returnedTenge: sumOf(returned.get(key) ?? []),
      boughtTenge: validOf(own),
    }
  })
}
