import {
  CONFIRMS,
  soldOf,
  sumOf,
  validOf,
  type Component,
  type ComponentOrder,
  type ShownMoney,
} from '#defects/balance/component'
import { largestSource } from '#defects/balance/dedupe_sources'
import type { Purchases } from '#defects/balance/purchases'
import { atLeastZero, min, sum } from '#shared/tenge'

/** How much of the valid tickets' prices registers acknowledge. */
export interface Acknowledged {
  /** All registers together; below 0 where they show only what went back. */
  tenge: bigint
  /** Each source, with what other sources show of orders that it has no row of. */
  bySource: AcknowledgedBySource[]
  /** Group of purchases → what registers have to show of it as charged, and do not. */
  shortfall: ReadonlyMap<string, bigint>
}
export interface AcknowledgedBySource {
  source: string
  tenge: bigint
}

/**
 * What registers acknowledge of the valid tickets: their prices, less the shortfall of each purchase. A register has to show as
 * charged what the tickets cost; of void ones only what is shown as returned. Of several sources the one counts that has the
 * smallest shortfall.
 *
 * Example: orders 1 to 3 of 12,000. A shop has two rows of A 12,000 for order 1, and not order 2; a bank has order 2; neither has
 * order 3
 *     orders 1 and 2: no shortfall; order 3: 12,000                  →  24,000 of 36,000 bought
 * Example: of an order of 24,000 half is void; a register shows 12,000 charged
 *     and nothing returned: no shortfall; and 12,000 returned: 12,000
 */
export function acknowledgedOf(
  component: Component,
  returns: ShownMoney[],
  sources: readonly string[],
  purchases: Purchases
): Acknowledged {
  const charges = chargesForTickets(component)
  const returnedIn = Map.groupBy(returns, (one) => purchases.groupOfRow(one))
  const ordersOfGroup = Map.groupBy(component.orders, ({ id }) => purchases.groupOfOrder(id))
  const coverages = sources.map(
    (source) => new SourceCoverage(source, charges, component, purchases)
  )
  const shortfalls = [...ordersOfGroup].map(([group, orders]) => {
    const requiredTenge = toShowOf(orders, returnedIn.get(group) ?? [])
    const bySource = coverages.map((coverage) =>
      atLeastZero(requiredTenge - coverage.ofGroup(group, orders))
    )
    return { group, bySource, smallest: bySource.length > 0 ? bySource.reduce(min) : 0n }
  })
  const boughtTenge = validOf(component.orders)
  return {
    tenge: boughtTenge - sum(shortfalls.map(({ smallest }) => smallest)),
    bySource: sources.map((source, index) => ({
      source,
      tenge: boughtTenge - sum(shortfalls.map(({ bySource }) => bySource[index])),
    })),
    shortfall: new Map(shortfalls.map(({ group, smallest }) => [group, smallest])),
  }
}

/** What a register has to show as charged: the price of what was sold, less void tickets that nobody shows as returned. */
function toShowOf(orders: ComponentOrder[], returns: ShownMoney[]): bigint {
  const voidTenge = soldOf(orders) - validOf(orders)
  return soldOf(orders) - atLeastZero(voidTenge - sumOf(returns))
}

/** What registers show as charged, without payments that a confirm names and that paid no order. */
function chargesForTickets({ orders, money }: Component): ShownMoney[] {
  const charges = money.filter(({ kind }) => kind === 'charge')
  const confirmed = charges.filter((one) => one.source === CONFIRMS)
  const named = new Set(confirmed.map(({ paymentId }) => paymentId))
  const paying = new Set(orders.map(({ paymentId }) => paymentId))
  const isForTickets = ({ paymentId }: ShownMoney) =>
    paymentId === null || paying.has(paymentId) || !named.has(paymentId)
  return charges.filter((one) => one.source !== CONFIRMS && isForTickets(one))
}

/**
 * What one source covers: its own charges, and of orders that it has no row of what others show or nobody misses. A partner's cards
 * and wallets may have a register each, and registers end at midnight.
 *
 * Example: a cart of orders 1 to 3 of 12,000; the only row of a shop, 36,000, names order 1, and no register misses an order
 *     36,000 of its own and 24,000 of orders 2 and 3, but no more than the cart cost: 36,000
 * Example: order 1 of 12,000 with a row of a bank; order 2 of 12,000 without any, missing in the bank's register
 *     the shop, which has neither: 12,000 that the bank shows
 */
class SourceCoverage {
  readonly #purchases: Purchases
  readonly #byPurchase: Map<string | null, ShownMoney[]>
  readonly #uncertain: Map<string, ShownMoney[]>
  readonly #ordersWithRow: ReadonlySet<string>
  readonly #missing: ReadonlySet<string>
  readonly #ofOthers: Map<string | null, ShownMoney[]>

  constructor(
    source: string,
    charges: ShownMoney[],
    { missingOrders }: Component,
    purchases: Purchases
  ) {
    const own = charges.filter((one) => one.source === source)
    const others = charges.filter((one) => one.source !== source)
    this.#purchases = purchases
    this.#byPurchase = Map.groupBy(own, (one) => purchases.purchaseOfRow(one))
    const uncertain = this.#byPurchase.get(null) ?? []
    this.#uncertain = Map.groupBy(uncertain, (one) => purchases.groupOfRow(one))
    this.#ordersWithRow = new Set(own.flatMap(({ orderIds }) => orderIds))
    this.#missing = new Set(missingOrders.map(({ orderId }) => orderId))
    this.#ofOthers = Map.groupBy(others, (one) => purchases.purchaseOfRow(one))
  }

  /** Purchase by purchase up to what it cost; rows that may be of any of them fill what is left. */
  ofGroup(group: string, orders: ComponentOrder[]): bigint {
    const ordersOf = Map.groupBy(orders, ({ id }) => this.#purchases.ofOrder(id))
    const certain = [...ordersOf].map(([purchase, own]) => {
      const shownTenge = sumOf(this.#byPurchase.get(purchase) ?? [])
      return min(shownTenge + this.#ofOrdersWithoutRow(purchase, own), soldOf(own))
    })
    const uncertain = sumOf(this.#uncertain.get(group) ?? [])
    return min(sum(certain) + uncertain, soldOf(orders))
  }

  #ofOrdersWithoutRow(purchase: string, orders: ComponentOrder[]): bigint {
    const charges = this.#ofOthers.get(purchase) ?? []
    const isShown = ({ id }: ComponentOrder) => charges.some((one) => one.orderIds.includes(id))
    const withoutRow = orders.filter(({ id }) => !this.#ordersWithRow.has(id))
    const shownByNobody = withoutRow.filter((order) => !isShown(order))
    // An order that no source shows and none misses is not expected in any register so far.
    const expectedNowhere = shownByNobody.filter(({ id }) => !this.#missing.has(id))
    return shownByOthers(withoutRow.filter(isShown), charges) + soldOf(expectedNowhere)
  }
}

/** What other sources show of these orders: first rows of each alone, then rows that are of several, up to what is left. */
function shownByOthers(orders: ComponentOrder[], charges: ShownMoney[]): bigint {
  const isOfOne = ({ orderIds }: ShownMoney) => orderIds.length === 1
  const alone = sum(
    orders.map(({ id, soldTenge }) => {
      const own = charges.filter((one) => isOfOne(one) && one.orderIds[0] === id)
      return min(sumOf(largestSource(own)), soldTenge)
    })
  )
  const ids = new Set(orders.map(({ id }) => id))
  const ofSeveral = charges.filter((one) => !isOfOne(one) && one.orderIds.some((id) => ids.has(id)))
  return alone + min(sumOf(largestSource(ofSeveral)), soldOf(orders) - alone)
}
