import { isConfirmed } from '#sales/order_status'
import type { OurOrder } from '#reconciliation/matching/match_case'

/** One payment for more of our orders than this is a placeholder and tells nothing. */
export const MOST_CANDIDATES = 20

/** Our orders by everything that a register may call them. */
export class OurOrders {
  readonly confirmed: OurOrder[] = []
  readonly unpaid: OurOrder[] = []
  readonly #paidNames = new Names()
  readonly #unpaidNames = new Names()
  readonly #byPayment = new Map<string, OurOrder[]>()

  /** A paid order by its key or by our number; registers mix them up. */
  named(name: string | null) {
    return name === null ? undefined : this.#paidNames.find(name)
  }

  unpaidNamed(name: string | null) {
    return name === null ? undefined : this.#unpaidNames.find(name)
  }

  /** Paid orders that were confirmed with this payment. */
  paidBy(paymentId: string | null): readonly OurOrder[] {
    return (paymentId !== null && this.#byPayment.get(paymentId)) || []
  }

  add(orders: readonly OurOrder[]): void {
    for (const order of orders) {
      this.#addOne(order)
    }
  }

  #addOne(order: OurOrder) {
    const isPaid = isConfirmed(order.status)
    const list = isPaid ? this.confirmed : this.unpaid
    list.push(order)
    const names = isPaid ? this.#paidNames : this.#unpaidNames
    names.add(order)
    if (isPaid && order.externalPaymentId !== null) this.#addPayment(order.externalPaymentId, order)
  }

  #addPayment(paymentId: string, order: OurOrder) {
    const others = this.#byPayment.get(paymentId)
    if (others) others.push(order)
    else this.#byPayment.set(paymentId, [order])
  }
}

/** A key goes before a number: it is what the partner calls the order. */
class Names {
  readonly #keys = new Map<string, OurOrder>()
  readonly #numbers = new Map<string, OurOrder>()

  add(order: OurOrder) {
    this.#keys.set(order.partnerOrderId, order)
    this.#numbers.set(order.orderId, order)
  }

  find(name: string) {
    return this.#keys.get(name) ?? this.#numbers.get(name)
  }
}
