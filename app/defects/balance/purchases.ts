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
  readonly #charged: ReadonlySet<string | null>
  readonly #sharing: ReadonlySet<string>
  readonly #knowing: ReadonlySet<string>

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
    const named = Map.groupBy(
      money.filter(({ paymentId }) => paymentId !== null),
      ({ paymentId }) => paymentId
    )
    const namedBy = [...named.values()].map((own) => new Set(own.map(({ source }) => source)))
    this.#sharing = new Set(namedBy.filter(({ size }) => size > 1).flatMap((own) => [...own]))
    this.#knowing = new Set(namedBy.filter((own) => own.has(CONFIRMS)).flatMap((own) => [...own]))
    const charges = money.filter(({ kind }) => kind === 'charge')
    this.#charged = new Set(charges.map(({ paymentId }) => paymentId))
    for (const { id, totalTenge } of orders) if (totalTenge > 0n) this.#paid.add(this.ofOrder(id))
  }

  /** Whether a source names a payment that another one names as well. */
  sharesIds = (source: string) => this.#sharing.has(source)

  /** Whether a source names a payment that confirms name. */
  knowsConfirmed = (source: string) => this.#knowing.has(source)

  /** Whether a charge has this payment id. */
  isCharged = (paymentId: string | null) => paymentId !== null && this.#charged.has(paymentId)

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
