import {
  CONFIRMS,
  type Component,
  type ComponentOrder,
  type ShownMoney,
} from '#defects/balance/component'
import { sumOf } from '#defects/balance/most_shown'
import type { Purchases } from '#defects/balance/purchases'
import { atLeastNothing, lesser, sum } from '#shared/tenge'

/**
 * What a source acknowledges of the valid tickets: of each purchase what it shows as charged, up to the price of its valid
 * tickets, less what it shows as returned of them. A return is first of charges that bought nothing, whichever payment it names.
 * An order that the source neither lacks nor has a row of stands in a register of other days: that counts as acknowledged.
 *
 * Example: orders 1 and 2 of 12,000; the source has two rows of A 12,000 for order 1, and nothing of order 2
 *     order 1: 24,000, up to 12,000; order 2: 0                      →  12,000 of 24,000 bought
 * Example: one of both charges went back
 *     12,000 beyond order 1 offset the return of 12,000              →  12,000
 */
export function acknowledgedBy(source: string, component: Component, purchases: Purchases): bigint {
  const { orders, money } = component
  const own = money.filter((one) => one.source === source)
  const charges = own.filter(({ kind }) => kind === 'charge')
  const confirmed = money.filter((one) => one.source === CONFIRMS)
  const charged = money.filter(({ kind }) => kind === 'charge')
  const wasForNothing = paidNothing(orders, confirmed)
  const forTickets = charges.filter((one) => !wasForNothing(one))
  const totalElsewhere = shownElsewhere(source, component)

  const bought = Map.groupBy(orders, ({ id }) => purchases.ofOrder(id))
  const byPurchase = Map.groupBy(forTickets, (one) => purchases.purchaseOf(one))
  let acknowledged = 0n
  for (const [purchase, ofPurchase] of bought) {
    const shown = sumOf(byPurchase.get(purchase) ?? [])
    acknowledged += lesser(shown + totalElsewhere(ofPurchase), validOf(ofPurchase))
  }
  // What may be of several purchases fills what is left.
  const unassigned = sumOf(byPurchase.get(null) ?? [])
  acknowledged += lesser(unassigned, validOf(orders) - acknowledged)

  const beyond = sumOf(charges) + totalElsewhere(orders) - acknowledged
  const hasTickets = (purchase: string | null) =>
    purchase === null || validOf(bought.get(purchase) ?? []) > 0n
  const wasOfOtherCharge = paidNothing(orders, charged)
  const returns = own
    .filter((one) => one.kind === 'return' && hasTickets(purchases.purchaseOf(one)))
    .filter((one) => !wasOfOtherCharge(one))
  return atLeastNothing(acknowledged - atLeastNothing(sumOf(returns) - beyond))
}

/** Whether its payment is one of the known ones, and none that paid an order. */
function paidNothing(orders: ComponentOrder[], known: ShownMoney[]) {
  const payments = new Set(known.map(({ paymentId }) => paymentId))
  const paid = new Set(orders.map(({ paymentId }) => paymentId))
  return ({ paymentId }: ShownMoney) =>
    paymentId !== null && payments.has(paymentId) && !paid.has(paymentId)
}

/** The totals of orders that the source neither lacks nor has a row of: they stand in a register of other days. */
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
