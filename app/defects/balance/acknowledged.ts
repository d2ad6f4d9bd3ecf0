import type { Component, ComponentOrder, ShownMoney } from '#defects/balance/component'
import { sumOf } from '#defects/balance/most_shown'
import type { Purchases } from '#defects/balance/purchases'
import { atLeastNothing, lesser, sum } from '#shared/tenge'

/**
 * What a source acknowledges of the valid tickets: its charges of purchases, each up to what was bought with it, without what it
 * shows as returned beyond charges that bought nothing, which may name another payment than the one that paid. An order that it neither lacks nor has a row of stands in a register of
 * other days: that counts as acknowledged.
 *
 * Example: orders 1 and 2 of 12,000; the source has two rows of A 12,000 for order 1, and nothing of order 2
 *     order 1: 24,000, up to 12,000; order 2: 0                      →  12,000 of 24,000 bought
 * Example: one of both charges went back
 *     12,000 beyond order 1 offset the return of 12,000              →  12,000
 */
export function acknowledgedBy(
  source: string,
  { orders, money, lacked }: Component,
  purchases: Purchases
): bigint {
  const own = money.filter((one) => one.source === source)
  const charges = own.filter(({ kind }) => kind === 'charge')
  const lacks = new Set(lacked.filter((one) => one.source === source).map((one) => one.orderId))
  const shows = new Set(charges.flatMap(({ orderIds }) => orderIds))
  const elsewhere = ({ id, totalTenge }: ComponentOrder) =>
    lacks.has(id) || shows.has(id) ? 0n : totalTenge
  const byPurchase = Map.groupBy(charges, (one) => purchases.purchaseOf(one))
  const bought = Map.groupBy(orders, ({ id }) => purchases.ofOrder(id))
  const isAlive = (purchase: string | null) =>
    purchase === null || validOf(bought.get(purchase) ?? []) > 0n

  let [acknowledged, beyond] = [0n, 0n]
  const take = (charged: bigint, most: bigint) => {
    acknowledged += lesser(charged, most)
    beyond += atLeastNothing(charged - most)
  }
  for (const [purchase, ofPurchase] of bought)
    take(
      sumOf(byPurchase.get(purchase) ?? []) + sum(ofPurchase.map(elsewhere)),
      validOf(ofPurchase)
    )
  const strange = [...byPurchase].filter(([key]) => key !== null && !bought.has(key))
  for (const [, ofPurchase] of strange) take(sumOf(ofPurchase), 0n)
  // Not known of which purchase: it fills what is left.
  take(sumOf(byPurchase.get(null) ?? []), validOf(orders) - acknowledged)
  const isOfOtherCharge = ({ paymentId }: ShownMoney) =>
    paymentId !== null &&
    orders.every((order) => order.paymentId !== paymentId) &&
    money.some((one) => one.kind === 'charge' && one.paymentId === paymentId)
  const returns = own.filter(
    (one) => one.kind === 'return' && isAlive(purchases.purchaseOf(one)) && !isOfOtherCharge(one)
  )
  return atLeastNothing(acknowledged - atLeastNothing(sumOf(returns) - beyond))
}

const validOf = (orders: ComponentOrder[]) => sum(orders.map(({ validTenge }) => validTenge))
