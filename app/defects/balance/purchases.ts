import { CONFIRMS, type Component, type ShownMoney } from '#defects/balance/component'
import { OrderGroups } from '#defects/facts/order_groups'

/**
 * Sorts a component's orders into purchases: orders that one payment was to pay.
 *
 * Example: confirms name payment A for orders 1 and 2, payment B for order 3; a register names payment C for order 3
 *   purchaseOf(row of payment A)                      = 1   orders 1 and 2 are one purchase, called by the first
 *   purchaseOf(row of payment C, of no order)         = 3   by the row that names its order
 *   purchaseOf(row without a payment, of order 1 or 3) = null   not known: purchases 1 and 3 are judged together
 */
export class Purchases {
  readonly #purchases = new OrderGroups()
  readonly #judgedTogether = new OrderGroups()
  readonly #byPayment = new Map<string, string>()
  readonly #chargedBy: ReadonlyMap<string | null, ShownMoney[]>
  readonly #paid = new Set<string>()
  /** purchase → sources whose ids of its payments can be compared. */
  readonly #comparable = new Map<string | null, Set<string>>()

  constructor({ orders, money }: Component) {
    for (const { id } of orders) this.#purchases.join([id])
    for (const { source, paymentId, orderIds } of money) {
      const isCertain = source === CONFIRMS || orderIds.length === 1
      if (!isCertain || orderIds.length === 0) continue
      const [orderId] = orderIds
      const known = paymentId === null ? orderId : (this.#byPayment.get(paymentId) ?? orderId)
      this.#purchases.join([known, ...orderIds])
      if (paymentId !== null) this.#byPayment.set(paymentId, known)
    }
    for (const one of money) {
      if (this.purchaseOf(one) === null && one.orderIds.length > 0)
        this.#judgedTogether.join(one.orderIds.map(this.ofOrder))
    }
    const named = Map.groupBy(
      money.filter(({ paymentId }) => paymentId !== null),
      ({ paymentId }) => paymentId
    )
    for (const { id, totalTenge } of orders) if (totalTenge > 0n) this.#paid.add(this.ofOrder(id))
    for (const own of named.values()) this.#noteComparable(own)
    const charges = money.filter(({ kind }) => kind === 'charge')
    this.#chargedBy = Map.groupBy(charges, ({ paymentId }) => paymentId)
  }

  #noteComparable(ofOnePayment: ShownMoney[]) {
    const purchase = this.purchaseOf(ofOnePayment[0])
    const sources = new Set(ofOnePayment.map(({ source }) => source))
    const isKnown = this.isPaid(purchase) ? sources.has(CONFIRMS) : sources.size > 1
    if (!isKnown) return
    const others = this.#comparable.get(purchase) ?? []
    this.#comparable.set(purchase, new Set([...others, ...sources]))
  }

  /**
   * Whether a source numbers the payments of a purchase as others do: it names one that confirms name as well; of money that bought
   * nothing, one that any other source names.
   */
  hasCommonIds = (source: string, purchase: string) =>
    this.#comparable.get(purchase)?.has(source) ?? false

  /** Whether another source shows a charge with this payment id. */
  isChargedElsewhere = (paymentId: string, source: string) =>
    (this.#chargedBy.get(paymentId) ?? []).some((one) => one.source !== source)

  /** Whether it has bought tickets, valid or void by now. */
  isPaid = (purchase: string | null) => purchase !== null && this.#paid.has(purchase)

  ofOrder = (orderId: string) => this.#purchases.firstOf(orderId)

  purchaseOf({ paymentId, orderIds }: ShownMoney): string | null {
    const known = paymentId === null ? undefined : this.#byPayment.get(paymentId)
    if (known !== undefined) return this.ofOrder(known)
    const purchases = new Set(orderIds.map(this.ofOrder))
    if (purchases.size === 0) return paymentId
    return purchases.size === 1 ? [...purchases][0] : null
  }

  /** The purchase of an order, or the first of several that one row may be of. */
  groupOfOrder = (orderId: string) => this.#judgedTogether.firstOf(this.ofOrder(orderId))

  groupOf(one: ShownMoney): string | null {
    const purchase = this.purchaseOf(one)
    if (purchase !== null) return this.#judgedTogether.firstOf(purchase)
    return one.orderIds.length > 0 ? this.groupOfOrder(one.orderIds[0]) : null
  }
}
