import { CONFIRMS, type Component, type ShownMoney } from '#defects/balance/component'
import { OrderGroups } from '#defects/facts/order_groups'

/**
 * Sorts a component's orders into purchases: orders that one payment was to pay.
 *
 * Example: confirms name payment A for orders 1 and 2, payment B for order 3; a register names payment C for order 3
 *   purchaseOf(row of payment A)                      = 1   orders 1 and 2 are one purchase, called by the first
 *   purchaseOf(row of payment C, of no order)         = 3   by the row that names its order
 *   purchaseOf(row without a payment, of order 1 or 3) = null   not known
 */
export class Purchases {
  readonly #groups = new OrderGroups()
  readonly #byPayment = new Map<string, string>()

  readonly #paid = new Set<string>()

  constructor({ orders, money }: Component) {
    for (const { id } of orders) this.#groups.join([id])
    for (const { source, paymentId, orderIds } of money) {
      const isCertain = source === CONFIRMS || orderIds.length === 1
      if (!isCertain || orderIds.length === 0) continue
      const [orderId] = orderIds
      const known = paymentId === null ? orderId : (this.#byPayment.get(paymentId) ?? orderId)
      this.#groups.join([known, ...orderIds])
      if (paymentId !== null) this.#byPayment.set(paymentId, known)
    }
    for (const { id, totalTenge } of orders) if (totalTenge > 0n) this.#paid.add(this.ofOrder(id))
  }

  /** Whether it has bought tickets, valid or void by now. */
  isPaid = (purchase: string | null) => purchase !== null && this.#paid.has(purchase)

  ofOrder = (orderId: string) => this.#groups.firstOf(orderId)

  purchaseOf({ paymentId, orderIds }: ShownMoney): string | null {
    const known = paymentId === null ? undefined : this.#byPayment.get(paymentId)
    if (known !== undefined) return this.ofOrder(known)
    const purchases = new Set(orderIds.map(this.ofOrder))
    if (purchases.size === 0) return paymentId
    return purchases.size === 1 ? [...purchases][0] : null
  }
}
