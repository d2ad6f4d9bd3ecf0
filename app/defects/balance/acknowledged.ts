import {
  CONFIRMS,
  validOf,
  type Component,
  type ComponentOrder,
  type ShownMoney,
} from '#defects/balance/component'
import { mostOfOneSource, sumOf } from '#defects/balance/most_shown'
import type { Purchases } from '#defects/balance/purchases'
import { atLeastNothing, lesser, sum } from '#shared/tenge'

/** How much of the valid tickets registers acknowledge; less than nothing where they show only what went back. */
export interface Acknowledged {
  tenge: bigint
  bySource: AcknowledgedBySource[]
  /** Group of purchases that are judged together → what is lacking of it. */
  lacking: ReadonlyMap<string, bigint>
}
export interface AcknowledgedBySource {
  source: string
  tenge: bigint
}

/**
 * What registers acknowledge of the valid tickets: their prices, less what is lacking of each purchase. A register has to show as
 * charged what the tickets cost; of void ones only what is shown as returned. Of several sources the one counts that lacks least.
 *
 * Example: orders 1 to 3 of 12,000. A shop has two rows of A 12,000 for order 1, and lacks order 2; a bank has order 2; both lack
 * order 3
 *     order 1 and 2: nothing is lacking; order 3: 12,000             →  24,000 of 36,000 bought
 * Example: of an order of 24,000 half is void; a register shows 12,000 charged
 *     and nothing returned: nothing is lacking; and 12,000 returned: 12,000 is lacking
 */
export function acknowledgedOf(
  component: Component,
  returns: ShownMoney[],
  sources: readonly string[],
  purchases: Purchases
): Acknowledged {
  const charges = chargesForTickets(component)
  const returnedOf = Map.groupBy(returns, (one) => purchases.groupOf(one))
  const groups = [...Map.groupBy(component.orders, ({ id }) => purchases.groupOfOrder(id))]
  const shown = sources.map((source) => new ChargesOfSource(source, charges, component, purchases))
  const lacking = groups.map(([group, orders]) => {
    const costTenge = costOf(orders)
    const notReturned = costTenge - validOf(orders) - sumOf(returnedOf.get(group) ?? [])
    const toShow = costTenge - atLeastNothing(notReturned)
    const bySource = shown.map((source) => atLeastNothing(toShow - source.ofGroup(group, orders)))
    return { group, bySource, least: bySource.length > 0 ? bySource.reduce(lesser) : 0n }
  })
  const boughtTenge = validOf(component.orders)
  return {
    tenge: boughtTenge - sum(lacking.map(({ least }) => least)),
    bySource: sources.map((source, index) => ({
      source,
      tenge: boughtTenge - sum(lacking.map(({ bySource }) => bySource[index])),
    })),
    lacking: new Map(lacking.map(({ group, least }) => [group, least])),
  }
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

/** What one source shows as charged for tickets, with what stands in registers of other days and other sources. */
class ChargesOfSource {
  readonly #purchases: Purchases
  readonly #byPurchase: Map<string | null, ShownMoney[]>
  readonly #uncertain: Map<string | null, ShownMoney[]>
  /** Orders that this source has a row of. */
  readonly #named: ReadonlySet<string>
  /** Orders that any source lacks. */
  readonly #lacking: ReadonlySet<string>
  /** What other sources show, purchase by purchase. */
  readonly #byOthers: Map<string | null, ShownMoney[]>

  constructor(source: string, charges: ShownMoney[], { lacked }: Component, purchases: Purchases) {
    const own = charges.filter((one) => one.source === source)
    const others = charges.filter((one) => one.source !== source)
    this.#purchases = purchases
    this.#byPurchase = Map.groupBy(own, (one) => purchases.purchaseOf(one))
    this.#uncertain = Map.groupBy(this.#byPurchase.get(null) ?? [], (one) => purchases.groupOf(one))
    this.#named = new Set(own.flatMap(({ orderIds }) => orderIds))
    this.#lacking = new Set(lacked.map(({ orderId }) => orderId))
    this.#byOthers = Map.groupBy(others, (one) => purchases.purchaseOf(one))
  }

  /** Purchase by purchase up to what it cost; what may be of any of them fills what is left. */
  ofGroup(group: string, orders: ComponentOrder[]): bigint {
    const bought = Map.groupBy(orders, ({ id }) => this.#purchases.ofOrder(id))
    const certain = [...bought].map(([purchase, own]) => {
      const shown = sumOf(this.#byPurchase.get(purchase) ?? [])
      return lesser(shown + this.#elsewhere(purchase, own), costOf(own))
    })
    const uncertain = sumOf(this.#uncertain.get(group) ?? [])
    return lesser(sum(certain) + uncertain, costOf(orders))
  }

  /**
   * Of orders that this source has no row of: what other sources show, first of each alone, then of several together; and all of
   * an order that none shows and none lacks. An order that a row may be of is lacked without that row.
   */
  #elsewhere(purchase: string, orders: ComponentOrder[]): bigint {
    const charges = this.#byOthers.get(purchase) ?? []
    const open = orders.filter(({ id }) => !this.#named.has(id))
    const isShown = ({ id }: ComponentOrder) => charges.some((one) => one.orderIds.includes(id))
    const shown = open.filter(isShown)
    const silent = open.filter((order) => !isShown(order) && !this.#lacking.has(order.id))
    const alone = sum(shown.map((order) => lesser(shownAlone(order, charges), order.totalTenge)))
    const ids = new Set(shown.map(({ id }) => id))
    const ofSeveral = charges.filter(
      ({ orderIds }) => orderIds.length > 1 && orderIds.some((id) => ids.has(id))
    )
    const together = lesser(sumOf(mostOfOneSource(ofSeveral)), costOf(shown) - alone)
    return alone + together + costOf(silent)
  }
}

const shownAlone = ({ id }: ComponentOrder, charges: ShownMoney[]) =>
  sumOf(
    mostOfOneSource(
      charges.filter(({ orderIds: [first, ...more] }) => first === id && more.length === 0)
    )
  )

const costOf = (orders: ComponentOrder[]) => sum(orders.map(({ totalTenge }) => totalTenge))
