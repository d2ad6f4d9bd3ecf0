import {
  CONFIRMS,
  type Component,
  type ComponentOrder,
  type ShownMoney,
} from '#defects/balance/component'
import { sumOf } from '#defects/balance/most_shown'
import type { Purchases } from '#defects/balance/purchases'
import { lesser, sum } from '#shared/tenge'

/**
 * What a source acknowledges of the valid tickets: of each purchase what it shows as charged, up to the price of its valid
 * tickets, whatever went back (equation 1 has that). A payment that paid for nothing acknowledges nothing. An order that the
 * source is not expected to show, as it stands in a register of other days, counts as acknowledged.
 *
 * Example: orders 1 and 2 of 12,000; the source has two rows of A 12,000 for order 1, and lacks order 2
 *     order 1: 24,000, up to 12,000; order 2: 0                      →  12,000 of 24,000 bought
 */
export function acknowledgedBy(source: string, component: Component, purchases: Purchases): bigint {
  const { orders } = component
  const charges = chargesForTickets(source, component)
  const totalElsewhere = shownElsewhere(source, component)
  const shownOf = Map.groupBy(charges, (one) => purchases.purchaseOf(one))
  let acknowledged = 0n
  for (const [purchase, bought] of Map.groupBy(orders, ({ id }) => purchases.ofOrder(id))) {
    const shown = sumOf(shownOf.get(purchase) ?? [])
    acknowledged += lesser(shown + totalElsewhere(bought), validOf(bought))
  }
  // What may be of several purchases fills what is left.
  const unassigned = sumOf(shownOf.get(null) ?? [])
  return acknowledged + lesser(unassigned, validOf(orders) - acknowledged)
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

/** The totals of orders that the source neither lacks nor has a row of. */
function shownElsewhere(source: string, { money, lacked }: Component) {
  const charges = money.filter((one) => one.source === source && one.kind === 'charge')
  const known = new Set([
    ...lacked.filter((one) => one.source === source).map(({ orderId }) => orderId),
    ...charges.flatMap(({ orderIds }) => orderIds),
  ])
  return (orders: ComponentOrder[]) =>
    sum(orders.filter(({ id }) => !known.has(id)).map(({ totalTenge }) => totalTenge))
}

const validOf = (orders: ComponentOrder[]) => sum(orders.map(({ validTenge }) => validTenge))
