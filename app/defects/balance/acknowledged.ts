import {
  CONFIRMS,
  type Component,
  type ComponentOrder,
  type ShownMoney,
} from '#defects/balance/component'
import { sumOf } from '#defects/balance/most_shown'
import type { Purchases } from '#defects/balance/purchases'
import { larger, lesser, sum } from '#shared/tenge'

/** How much of the valid tickets registers acknowledge. */
export interface Acknowledged {
  tenge: bigint
  bySource: AcknowledgedBySource[]
}
export interface AcknowledgedBySource {
  source: string
  tenge: bigint
}

/**
 * What registers acknowledge of the valid tickets: of each purchase what the source that shows most of it shows as charged, up to
 * the price of its valid tickets, whatever went back (equation 1 has that). A payment that paid for nothing acknowledges nothing.
 *
 * Example: orders 1 to 3 of 12,000. A shop has two rows of A 12,000 for order 1, and lacks order 2; a bank has order 2; both lack
 * order 3
 *     order 1: 24,000, up to 12,000; order 2: 12,000; order 3: 0     →  24,000 of 36,000 bought
 */
export function acknowledgedOf(
  component: Component,
  sources: readonly string[],
  purchases: Purchases
): Acknowledged {
  const { orders } = component
  const bought = Map.groupBy(orders, ({ id }) => purchases.ofOrder(id))
  const shown = sources.map((source) => new ShownBySource(source, component, purchases))
  const mostOf = (purchase: string, own: ComponentOrder[]) =>
    shown.map((source) => source.acknowledgedOf(purchase, own)).reduce(larger, 0n)
  const certain = sum([...bought].map(([purchase, own]) => mostOf(purchase, own)))
  const uncertain = shown.map((source) => source.uncertainTenge).reduce(larger, 0n)
  return {
    tenge: lesser(certain + uncertain, validOf(orders)),
    bySource: shown.map((source) => ({ source: source.source, tenge: source.altogether(bought) })),
  }
}

/** What one source shows of the valid tickets. */
class ShownBySource {
  /** What may be of several purchases. */
  readonly uncertainTenge: bigint
  readonly #charges: Map<string | null, ShownMoney[]>
  readonly #isElsewhere: (order: ComponentOrder) => boolean

  constructor(
    readonly source: string,
    component: Component,
    purchases: Purchases
  ) {
    const charges = chargesForTickets(source, component)
    this.#charges = Map.groupBy(charges, (one) => purchases.purchaseOf(one))
    this.uncertainTenge = sumOf(this.#charges.get(null) ?? [])
    this.#isElsewhere = ordersElsewhere(source, component)
  }

  acknowledgedOf(purchase: string, bought: ComponentOrder[]): bigint {
    const shown = sumOf(this.#charges.get(purchase) ?? [])
    const elsewhere = sum(bought.filter(this.#isElsewhere).map(({ totalTenge }) => totalTenge))
    return lesser(shown + elsewhere, validOf(bought))
  }

  altogether(bought: ReadonlyMap<string, ComponentOrder[]>): bigint {
    const parts = [...bought].map(([purchase, own]) => this.acknowledgedOf(purchase, own))
    return lesser(sum(parts) + this.uncertainTenge, validOf([...bought.values()].flat()))
  }
}

/** Without payments that a confirm names and that paid no order. */
function chargesForTickets(source: string, { orders, money }: Component): ShownMoney[] {
  const charges = money.filter(({ kind }) => kind === 'charge')
  const confirmed = charges.filter((one) => one.source === CONFIRMS)
  const named = new Set(confirmed.map(({ paymentId }) => paymentId))
  const paying = new Set(orders.map(({ paymentId }) => paymentId))
  const isForTickets = ({ paymentId }: ShownMoney) =>
    paymentId === null || paying.has(paymentId) || !named.has(paymentId)
  return charges.filter((one) => one.source === source && isForTickets(one))
}

/** Orders that no source lacks and this one has no row of: they stand in a register of other days. */
function ordersElsewhere(source: string, { money, lacked }: Component) {
  const charges = money.filter((one) => one.source === source && one.kind === 'charge')
  const known = new Set([
    ...lacked.map(({ orderId }) => orderId),
    ...charges.flatMap(({ orderIds }) => orderIds),
  ])
  return ({ id }: ComponentOrder) => !known.has(id)
}

const validOf = (orders: ComponentOrder[]) => sum(orders.map(({ validTenge }) => validTenge))
