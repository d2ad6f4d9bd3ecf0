import {
  CONFIRMS,
  refusedPayments,
  soldOf,
  sumOf,
  validOf,
  type Component,
  type ComponentOrder,
  type ShownMoney,
} from '#defects/balance/component'
import { largestSource, smallestSplit } from '#defects/balance/dedupe_sources'
import type { Purchases } from '#defects/balance/purchases'
import { atLeastZero, min, sum } from '#shared/tenge'

/** How much of the valid tickets' prices registers acknowledge. */
export interface Acknowledged {
  /** All registers together; below 0 where they show only what went back. */
  tenge: bigint
  /** What each source covers: its own rows, and what others show of orders that it has no row of. */
  bySource: AcknowledgedBySource[]
  /** Group of purchases → what registers have to show of it as charged, and do not. */
  shortfall: ReadonlyMap<string, bigint>
}
export interface AcknowledgedBySource {
  source: string
  tenge: bigint
}

/**
 * What registers acknowledge of the valid tickets: not a sum of rows, but the tickets' prices less the shortfall of each group of
 * purchases. A register has to show as charged what the tickets cost; void ones only as far as their refund is shown. The shortfall is
 * what it does not show of that; an order that no register has to show yet has none. Of several sources the smallest shortfall counts;
 * sources that split the sales between them also count together, as one.
 *
 * Example: orders 1 to 3 of 12,000. A shop has two rows of A 12,000 for order 1, and not order 2; a bank has order 2; neither has
 * order 3
 *     orders 1 and 2: no shortfall; order 3: 12,000                  →  24,000 of 36,000 bought
 * Example: of an order of 24,000 half is void; a register shows 12,000 charged
 *     and nothing returned: no shortfall; and 12,000 returned: 12,000
 */
export function acknowledgedOf(
  component: Component,
  counted: Record<'charges' | 'returns', ShownMoney[]>,
  sources: readonly string[],
  purchases: Purchases
): Acknowledged {
  const { forTickets, ofRefused } = sortCharges(component)
  const coverageOf = (isOwn: (one: ShownMoney) => boolean) =>
    new SourceCoverage(isOwn, forTickets, component, purchases)
  const coverages = sources.map((source) => coverageOf((one) => one.source === source))
  const split = splitInPurchases([...forTickets, ...ofRefused], purchases)
  const ofSplit = split.size > 0 ? [coverageOf((one) => split.has(one))] : []
  const shortfalls = groupsOf(component, { ...counted, ofRefused }, purchases).map((group) => {
    const bySource = coverages.map((coverage) => shortfallOf(group, coverage))
    const candidates = [...bySource, ...ofSplit.map((coverage) => shortfallOf(group, coverage))]
    const smallest = candidates.length > 0 ? candidates.reduce(min) : 0n
    return { key: group.key, bySource, smallest }
  })
  const boughtTenge = validOf(component.orders)
  return {
    tenge: boughtTenge - sum(shortfalls.map(({ smallest }) => smallest)),
    bySource: sources.map((source, index) => ({
      source,
      tenge: boughtTenge - sum(shortfalls.map(({ bySource }) => bySource[index])),
    })),
    shortfall: new Map(shortfalls.map(({ key, smallest }) => [key, smallest])),
  }
}

/** Purchases that are judged together, with what counts of their money. */
interface PurchaseGroup extends Record<'charges' | 'returns' | 'ofRefused', ShownMoney[]> {
  key: string
  orders: ComponentOrder[]
  /** Payments that paid for any order of the component. */
  paying: ReadonlySet<string | null>
}

function groupsOf(
  { orders }: Component,
  money: Record<'charges' | 'returns' | 'ofRefused', ShownMoney[]>,
  purchases: Purchases
): PurchaseGroup[] {
  const paying = new Set(orders.map(({ paymentId }) => paymentId))
  const byGroup = (own: ShownMoney[]) => Map.groupBy(own, (one) => purchases.groupOfRow(one))
  const charges = byGroup(money.charges)
  const returns = byGroup(money.returns)
  const ofRefused = byGroup(money.ofRefused)
  return [...Map.groupBy(orders, ({ id }) => purchases.groupOfOrder(id))].map(([key, own]) => ({
    key,
    orders: own,
    paying,
    charges: charges.get(key) ?? [],
    returns: returns.get(key) ?? [],
    ofRefused: ofRefused.get(key) ?? [],
  }))
}

/** What registers have to show of a group as charged, less what this source or these sources show. */
function shortfallOf(group: PurchaseGroup, coverage: SourceCoverage): bigint {
  const { key, orders, ofRefused } = group
  const toShowTenge = toShowOf(orders, returnedOfTickets(group))
  const ownRefused = ofRefused.filter(coverage.isOwn)
  const shownRefusedTenge = min(refusedNeededForTickets(group), sumOf(onceEach(ownRefused)))
  return atLeastZero(toShowTenge - shownRefusedTenge - coverage.ofGroup(key, orders))
}

/** What a register has to show as charged: the price of what was sold, less void tickets that nobody shows as returned. */
function toShowOf(orders: ComponentOrder[], returnedTenge: bigint): bigint {
  const voidTenge = soldOf(orders) - validOf(orders)
  return soldOf(orders) - atLeastZero(voidTenge - returnedTenge)
}

/**
 * How much of refused payments must have paid for the tickets after all, as what else was charged is less than they cost.
 *
 * Example: payment A 12,000 paid for orders 1 and 2 of 12,000, B 12,000 was refused for order 3, and a register shows B for order 2:
 * all three are one purchase
 *     24,000 charged, 24,000 bought: all of B; without order 2 nothing of it
 */
function refusedNeededForTickets({ ofRefused, charges, orders }: PurchaseGroup): bigint {
  const unusedTenge = atLeastZero(sumOf(charges) - validOf(orders))
  return atLeastZero(sumOf(onceEach(ofRefused)) - unusedTenge)
}

/**
 * What went back for tickets: not what went back of refused payments. A return that names neither kind of payment may be of both: it
 * is of refused ones as far as these have not gone back.
 *
 * Example: payment A paid for order 1; B 12,000 was refused
 *     B 12,000 returned              0 for tickets
 *     R9 18,000 returned             6,000 for tickets
 *     A 12,000 returned              12,000 for tickets
 */
function returnedOfTickets({ returns, ofRefused, paying }: PurchaseGroup): bigint {
  const refusedIds = new Set(ofRefused.map(({ paymentId }) => paymentId))
  const kindOf = ({ paymentId }: ShownMoney) => {
    if (paymentId === null) return 'either'
    if (paying.has(paymentId)) return 'tickets'
    return refusedIds.has(paymentId) ? 'refused' : 'either'
  }
  const returned = Map.groupBy(returns, kindOf)
  const tengeOf = (kind: ReturnType<typeof kindOf>) => sumOf(returned.get(kind) ?? [])
  const keptOfRefusedTenge = atLeastZero(sumOf(onceEach(ofRefused)) - tengeOf('refused'))
  return tengeOf('tickets') + atLeastZero(tengeOf('either') - keptOfRefusedTenge)
}

/** Payments that confirms name are each counted once, as the source shows it that shows most of it. */
const onceEach = (named: ShownMoney[]) =>
  [...Map.groupBy(named, ({ paymentId }) => paymentId).values()].flatMap(largestSource)

/** What registers show together that split the sales between them; empty where one of them shows all of it. */
function splitInPurchases(money: ShownMoney[], purchases: Purchases): ReadonlySet<ShownMoney> {
  const byPurchase = Map.groupBy(money, (one) => purchases.purchaseOfRow(one))
  const split = [...byPurchase.values()].flatMap((own) => smallestSplit(own, purchases))
  const isOfSeveral = new Set(split.map(({ source }) => source)).size > 1
  return new Set(isOfSeveral ? split : [])
}

/** What registers show as charged: for tickets, and of refused payments. */
function sortCharges({ orders, money }: Component) {
  const charges = money.filter(({ kind }) => kind === 'charge')
  const shown = charges.filter(({ source }) => source !== CONFIRMS)
  const confirmed = charges.filter(({ source }) => source === CONFIRMS)
  const refused = refusedPayments(orders, confirmed)
  return {
    forTickets: shown.filter(({ paymentId }) => !refused.has(paymentId)),
    ofRefused: shown.filter(({ paymentId }) => refused.has(paymentId)),
  }
}

/**
 * What one source covers, or several that split the sales: its own charges; of orders without a row of its own, what other registers
 * show; and orders that no register misses, at full price. A partner's cards and wallets may have a register each, and registers end
 * at midnight.
 *
 * Example: a cart of orders 1 to 3 of 12,000; the only row of a shop, 36,000, names order 1, and no register misses an order
 *     36,000 of its own and 24,000 of orders 2 and 3, but no more than the cart cost: 36,000
 * Example: order 1 of 12,000 with a row of a bank; order 2 of 12,000 without any, missing in the bank's register
 *     the shop, which has neither: 12,000 that the bank shows
 */
class SourceCoverage {
  readonly isOwn: (one: ShownMoney) => boolean
  readonly #purchases: Purchases
  readonly #byPurchase: Map<string | null, ShownMoney[]>
  readonly #uncertain: Map<string, ShownMoney[]>
  readonly #ordersWithRow: ReadonlySet<string>
  readonly #missing: ReadonlySet<string>
  readonly #ofOthers: Map<string | null, ShownMoney[]>

  constructor(
    isOwn: (one: ShownMoney) => boolean,
    charges: ShownMoney[],
    { missingOrders }: Component,
    purchases: Purchases
  ) {
    this.isOwn = isOwn
    const own = charges.filter(this.isOwn)
    const others = charges.filter((one) => !this.isOwn(one))
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
      return min(shownTenge + this.#shownElsewhereOrNotExpected(purchase, own), soldOf(own))
    })
    const uncertain = sumOf(this.#uncertain.get(group) ?? [])
    return min(sum(certain) + uncertain, soldOf(orders))
  }

  #shownElsewhereOrNotExpected(purchase: string, orders: ComponentOrder[]): bigint {
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
