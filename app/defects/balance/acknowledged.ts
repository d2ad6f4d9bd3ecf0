import {
  CONFIRMS,
  type Component,
  type ComponentOrder,
  type ShownMoney,
} from '#defects/balance/component'
import { sumOf } from '#defects/balance/most_shown'
import type { Purchases } from '#defects/balance/purchases'
import { OrderGroups } from '#defects/facts/order_groups'
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
 * Purchases that one row may be of are judged together.
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
  const charges = chargesForTickets(component)
  const groupOf = purchasesJudgedTogether(charges, purchases)
  const groups = [...Map.groupBy(component.orders, ({ id }) => groupOf(id))]
  const shown = sources.map((source) => {
    const own = charges.filter((one) => one.source === source)
    const elsewhere = shownElsewhere(own, charges, component, purchases)
    const shownIn = shownBySource(own, elsewhere, purchases, groupOf)
    return { source, perGroup: groups.map(([group, orders]) => shownIn(group, orders)) }
  })
  const most = groups.map((_, index) => shown.map(({ perGroup }) => perGroup[index]))
  return {
    tenge: sum(most.map((ofSources) => ofSources.reduce(larger, 0n))),
    bySource: shown.map(({ source, perGroup }) => ({ source, tenge: sum(perGroup) })),
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

/** Names the purchase of an order, or one of several that a row may be of. */
function purchasesJudgedTogether(charges: ShownMoney[], purchases: Purchases) {
  const groups = new OrderGroups()
  for (const one of charges) {
    const isUncertain = purchases.purchaseOf(one) === null
    if (isUncertain && one.orderIds.length > 0) groups.join(one.orderIds.map(purchases.ofOrder))
  }
  return (orderId: string) => groups.firstOf(purchases.ofOrder(orderId))
}

/** Purchase by purchase what a source's charges show; what may be of any purchase of the group fills what is left. */
function shownBySource(
  charges: ShownMoney[],
  elsewhere: (order: ComponentOrder) => bigint,
  purchases: Purchases,
  groupOf: (orderId: string) => string
) {
  const certain = Map.groupBy(charges, (one) => purchases.purchaseOf(one))
  const uncertain = Map.groupBy(certain.get(null) ?? [], ({ orderIds }) => groupOf(orderIds[0]))
  return (group: string, orders: ComponentOrder[]): bigint => {
    const bought = Map.groupBy(orders, ({ id }) => purchases.ofOrder(id))
    const ofPurchases = [...bought].map(([purchase, own]) => {
      const shown = sumOf(certain.get(purchase) ?? [])
      return lesser(shown + sum(own.map(elsewhere)), validOf(own))
    })
    return lesser(sum(ofPurchases) + sumOf(uncertain.get(group) ?? []), validOf(orders))
  }
}

/**
 * What of an order stands in other registers than the one with these rows (`own`): what they show of it, or all of it where no
 * register shows it and none lacks it. An order that a row may be of is lacked without that row.
 */
function shownElsewhere(
  own: ShownMoney[],
  charges: ShownMoney[],
  { lacked }: Component,
  purchases: Purchases
) {
  const named = new Set(own.flatMap(({ orderIds }) => orderIds))
  const lacking = new Set(lacked.map(({ orderId }) => orderId))
  const certain = charges.filter((one) => purchases.purchaseOf(one) !== null)
  const byOrder = Map.groupBy(
    certain.flatMap((charge) => charge.orderIds.map((orderId) => ({ orderId, charge }))),
    ({ orderId }) => orderId
  )
  return ({ id, totalTenge }: ComponentOrder): bigint => {
    if (named.has(id)) return 0n
    const shown = (byOrder.get(id) ?? []).map(({ charge }) => charge)
    if (shown.length === 0) return lacking.has(id) ? 0n : totalTenge
    const isOfItAlone = shown.every(({ orderIds }) => orderIds.length === 1)
    return isOfItAlone ? lesser(mostOfOneSource(shown), totalTenge) : totalTenge
  }
}

const mostOfOneSource = (charges: ShownMoney[]) =>
  [...Map.groupBy(charges, ({ source }) => source).values()].map(sumOf).reduce(larger, 0n)

const validOf = (orders: ComponentOrder[]) => sum(orders.map(({ validTenge }) => validTenge))
