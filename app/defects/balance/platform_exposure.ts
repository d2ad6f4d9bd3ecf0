import type { Acknowledged } from '#defects/balance/acknowledged'
import {
  CONFIRMS,
  sumOf,
  validOf,
  type ComponentOrder,
  type ShownMoney,
} from '#defects/balance/component'
import { largestSource } from '#defects/balance/dedupe_sources'
import type { Purchases } from '#defects/balance/purchases'
import { atLeastZero, max, min, sum } from '#shared/tenge'

interface Figures {
  orders: ComponentOrder[]
  /** All charges, and those that count. */
  charges: ShownMoney[]
  countedCharges: ShownMoney[]
  countedReturns: ShownMoney[]
  acknowledged: Acknowledged
  purchases: Purchases
}

/**
 * What the platform may be short of, no ticket counted twice:
 *
 *     max(unpaid + unacknowledged, shortfall) + returnedOfShown + usedVoid
 *
 *     unpaid           valid tickets that nobody was charged for
 *     shortfall        what registers have to show as charged, and do not
 *     unacknowledged   the shortfall of tickets that somebody was charged for, or what went back too much of charges that no register
 *                      shows, whichever is more: both are of the same tickets
 *     returnedOfShown  what went back too much (for valid tickets, or beyond the charge) of charges that registers show
 *     usedVoid         void tickets with which guests were admitted
 *
 * Example: one payment of 12,000 for orders 1 and 2; a register lacks order 3, and shows order 4 as charged and returned
 *     unpaid 12,000 + unacknowledged 12,000 + returnedOfShown 12,000  →  36,000
 * Example: a register lacks order 1, and shows it as returned: the same tickets
 *     shortfall 12,000, and 12,000 went back too much                →  unacknowledged 12,000
 */
export function platformExposure(figures: Figures): bigint {
  const { orders, charges, countedCharges, countedReturns, acknowledged, purchases } = figures
  const [chargedTenge, boughtTenge] = [sumOf(countedCharges), validOf(orders)]
  const unpaid = atLeastZero(boughtTenge - chargedTenge)
  const shortfall = sum([...acknowledged.shortfall.values()])
  const returnedTooMuch = atLeastZero(
    sumOf(countedReturns) - atLeastZero(chargedTenge - boughtTenge)
  )
  const returnedOfShown = min(
    returnedTooMuch,
    returnsWithCharge(charges, countedReturns, purchases)
  )
  // A return of a sale that registers lack takes back the same tickets.
  const unacknowledged = max(shortfallOfPaid(figures), returnedTooMuch - returnedOfShown)
  // `unpaid` is netted over all purchases, and too small where one was charged twice; the shortfall is not netted.
  const withoutReturns = max(unpaid + unacknowledged, shortfall)
  const usedVoid = sum(orders.map(({ usedVoidTenge }) => usedVoidTenge))
  return withoutReturns + returnedOfShown + usedVoid
}

/** The shortfall of tickets that somebody was charged for: the others are unpaid already. */
function shortfallOfPaid({ orders, countedCharges, acknowledged, purchases }: Figures): bigint {
  const charged = Map.groupBy(countedCharges, (one) => purchases.groupOfRow(one))
  const groups = [...Map.groupBy(orders, ({ id }) => purchases.groupOfOrder(id))]
  return sum(
    groups.map(([group, own]) => {
      const unpaid = atLeastZero(validOf(own) - sumOf(charged.get(group) ?? []))
      return atLeastZero((acknowledged.shortfall.get(group) ?? 0n) - unpaid)
    })
  )
}

/** What went back, as far as registers show that it was charged. */
function returnsWithCharge(
  charges: ShownMoney[],
  returns: ShownMoney[],
  purchases: Purchases
): bigint {
  const ofRegisters = charges.filter(({ source }) => source !== CONFIRMS)
  const chargedIn = Map.groupBy(ofRegisters, (one) => purchases.groupOfRow(one))
  const returnedIn = [...Map.groupBy(returns, (one) => purchases.groupOfRow(one))]
  return sum(
    returnedIn.map(([group, own]) =>
      min(sumOf(own), sumOf(largestSource(chargedIn.get(group) ?? [])))
    )
  )
}
