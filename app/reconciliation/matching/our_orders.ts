import { isOverShared, isPlaceholder, namesNoPayment } from '#defects/facts/placeholder_ids'
import { isConfirmed } from '#sales/order_status'
import type { OurOrder } from '#reconciliation/matching/match_case'

/** What leads to more of our orders than this leads to none: it is a placeholder, or too little is left of it. */
export const MOST_CANDIDATES = 20

/** Our orders by everything that a register may call them. */
export class OurOrders {
  /** In any status from paid on. */
  readonly confirmed: OurOrder[]
  readonly unpaid: OurOrder[]
  readonly #paidNames: Map<string, OurOrder>
  readonly #unpaidNames: Map<string, OurOrder>
  readonly #byPayment: Map<string | null, OurOrder[]>

  constructor(orders: readonly OurOrder[]) {
    this.confirmed = orders.filter(({ status }) => isConfirmed(status))
    this.unpaid = orders.filter(({ status }) => !isConfirmed(status))
    this.#paidNames = namesOf(this.confirmed)
    this.#unpaidNames = namesOf(this.unpaid)
    this.#byPayment = Map.groupBy(this.confirmed, (order) => order.externalPaymentId)
  }

  /** A paid order by the partner's order id or by ours; registers mix them up. */
  named(name: string | null): OurOrder | null {
    return (name !== null && this.#paidNames.get(name)) || null
  }

  unpaidNamed(name: string | null): OurOrder | null {
    return (name !== null && this.#unpaidNames.get(name)) || null
  }

  /** Whether a payment id says no more than none: a dummy text, or one that too many of our orders have. */
  isMeaningless(paymentId: string): boolean {
    return namesNoPayment(paymentId, this.#byPayment.get(paymentId)?.length ?? 0)
  }

  /** Paid orders that were confirmed with this payment. A dummy text identifies an order as long as no other one has it. */
  paidBy(paymentId: string | null): readonly OurOrder[] {
    const orders = (paymentId !== null && this.#byPayment.get(paymentId)) || []
    if (orders.length <= 1) return orders
    return isPlaceholder(paymentId!) || isOverShared(orders.length) ? [] : orders
  }
}

export const byOrderId = (one: OurOrder, other: OurOrder) =>
  one.orderId < other.orderId ? -1 : one.orderId > other.orderId ? 1 : 0

/** The partner's id goes before ours: it is what the partner calls the order. */
export function namesOf(orders: readonly OurOrder[]) {
  const names = new Map<string, OurOrder>()
  for (const order of orders) names.set(order.orderId, order)
  for (const order of orders) names.set(order.partnerOrderId, order)
  return names
}
