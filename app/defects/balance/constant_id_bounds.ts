import type { Balance } from '#defects/balance/balance'
import type { CaseFacts } from '#defects/facts/facts'
import { validTengeOf } from '#defects/balance/component_of'
import { atLeastZero, max, sum } from '#shared/tenge'

/** What may be missing of orders with one payment id, if there was one charge. An upper bound: it is in no sum of money at risk. */
export interface ConstantIdBound<Money = bigint> {
  paymentId: string
  /** The first order with it. */
  orderId: string
  orders: number
  boughtTenge: Money
  largestTenge: Money
  upToTenge: Money
}

/**
 * The bounds of the constant ids that a case is about: what their orders bought beyond the largest order, or beyond what registers
 * acknowledge of them where that is more.
 *
 * Example: 21 orders of 12,000, one of 24,000
 *     276,000 bought − 24,000 = up to 252,000
 * Example: a register shows 100,000 of it
 *     276,000 bought − 100,000 = up to 176,000
 */
export function constantIdBounds(
  { orders, constantIds }: CaseFacts,
  { acknowledged }: Balance
): ConstantIdBound[] {
  const members = new Set(orders.map(({ id }) => id))
  const own = [...constantIds.values()].filter(({ orderIds }) => members.has(orderIds[0]))
  return own.map(({ paymentId, orderIds, largestTenge, boughtTenge, ...one }) => {
    const others = orders.filter(({ payment }) => payment && payment.paymentId !== paymentId)
    const ofOthers = sum(others.map(validTengeOf))
    const shown = acknowledged.bySource.length > 0 ? acknowledged.tenge - ofOthers : 0n
    const known = max(largestTenge, shown)
    const upToTenge = atLeastZero(boughtTenge - known)
    return {
      paymentId,
      orderId: orderIds[0],
      orders: one.orders,
      boughtTenge,
      largestTenge,
      upToTenge,
    }
  })
}
