import type { Acknowledged } from '#defects/balance/acknowledged'
import { CONFIRMS, validOf, type ComponentOrder, type ShownMoney } from '#defects/balance/component'
import { mostOfOneSource, sumOf } from '#defects/balance/most_shown'
import type { Purchases } from '#defects/balance/purchases'
import { atLeastNothing, larger, lesser, sum } from '#shared/tenge'

interface Shown {
  orders: ComponentOrder[]
  /** All charges, and those that count. */
  charges: ShownMoney[]
  countedCharges: ShownMoney[]
  countedReturns: ShownMoney[]
  acknowledged: Acknowledged
  purchases: Purchases
}

/**
 * What we may be short of, each ticket once:
 *
 *   - valid tickets that nobody has paid for, or that registers lack
 *   - what went back for valid tickets, or beyond what was charged: on top of them where registers show the charge as well
 *   - void tickets with which guests were admitted
 *
 * Example: one payment of 12,000 for orders 1 and 2; a register lacks order 3, and shows order 4 as charged and returned
 *     12,000 unpaid, 12,000 lacking, 12,000 returned                 →  36,000
 */
export function ourLosses(shown: Shown): bigint {
  const { orders, charges, countedCharges, countedReturns, purchases } = shown
  const chargedTenge = sumOf(countedCharges)
  const boughtTenge = validOf(orders)
  const overReturned = atLeastNothing(
    sumOf(countedReturns) - atLeastNothing(chargedTenge - boughtTenge)
  )
  const withItsCharge = lesser(overReturned, returnedOfShown(charges, countedReturns, purchases))
  const withoutItsCharge = overReturned - withItsCharge
  const unpaid = atLeastNothing(boughtTenge - chargedTenge)
  const lackingOnly = larger(lackingBeyondUnpaid(shown), withoutItsCharge)
  const usedVoid = sum(orders.map((order) => order.usedVoidTenge))
  return larger(unpaid + lackingOnly, lackingOf(shown)) + withItsCharge + usedVoid
}

const lackingOf = ({ acknowledged }: Shown) => sum([...acknowledged.lacking.values()])

/** Of purchases that are judged together, what registers lack and somebody has paid for. */
function lackingBeyondUnpaid({ orders, countedCharges, acknowledged, purchases }: Shown): bigint {
  const charged = Map.groupBy(countedCharges, (one) => purchases.groupOf(one))
  const groups = [...Map.groupBy(orders, ({ id }) => purchases.groupOfOrder(id))]
  return sum(
    groups.map(([group, own]) => {
      const unpaid = atLeastNothing(validOf(own) - sumOf(charged.get(group) ?? []))
      return atLeastNothing((acknowledged.lacking.get(group) ?? 0n) - unpaid)
    })
  )
}

/** What went back, as far as registers show that it was charged. */
function returnedOfShown(
  charges: ShownMoney[],
  returns: ShownMoney[],
  purchases: Purchases
): bigint {
  const registered = charges.filter(({ source }) => source !== CONFIRMS)
  const chargedIn = Map.groupBy(registered, (one) => purchases.groupOf(one))
  const returnedIn = [...Map.groupBy(returns, (one) => purchases.groupOf(one))]
  return sum(
    returnedIn.map(([group, own]) =>
      lesser(sumOf(own), sumOf(mostOfOneSource(chargedIn.get(group) ?? [])))
    )
  )
}
