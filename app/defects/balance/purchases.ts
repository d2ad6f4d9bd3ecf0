import { CONFIRMS, type Component, type ShownMoney } from '#defects/balance/component'
import { OrderGroups } from '#defects/facts/order_groups'

/**
 * Sorts a component's orders into purchases: orders that one payment was to pay, by what confirms say.
 *
 * Example: confirms name payment A for orders 1 and 2, payment B for order 3
 *   purchaseOf(row of payment A)                    = 1   orders 1 and 2 are one purchase, called by the first
 *   purchaseOf(row of payment C that names order 3) = 3   a payment that no confirm has named goes by its order
 *   purchaseOf(row without payment of order 1 or 3) = null   nobody can tell
 */
export class Purchases {
  readonly #groups = new OrderGroups()
  readonly #byPayment = new Map<string, string>()

  constructor({ orders, money }: Component) {
    for (const { id } of orders) this.#groups.join([id])
    for (const { source, paymentId, orderIds } of money) {
      if (source !== CONFIRMS || orderIds.length === 0) continue
      this.#groups.join(orderIds)
      if (paymentId !== null) this.#byPayment.set(paymentId, orderIds[0])
    }
  }

  ofOrder = (orderId: string) => this.#groups.firstOf(orderId)

  purchaseOf({ paymentId, orderIds }: ShownMoney): string | null {
    const known = paymentId === null ? undefined : this.#byPayment.get(paymentId)
    if (known !== undefined) return this.ofOrder(known)
    const purchases = new Set(orderIds.map(this.ofOrder))
    if (purchases.size === 0) return paymentId
    return purchases.size === 1 ? [...purchases][0] : null
  }
}
