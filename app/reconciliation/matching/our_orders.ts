import { isConfirmed } from '#sales/order_status'
import type { OurOrder } from '#reconciliation/matching/match_case'

/** One payment for more of our orders than this is a placeholder and tells nothing. */
export const MOST_CANDIDATES = 20

/** Our orders by everything that a register may call them. */
export class OurOrders {
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

  /** A paid order by its key or by our number; registers mix them up. */
  named(name: string | null) {
    return name === null ? undefined : this.#paidNames.get(name)
  }

  unpaidNamed(name: string | null) {
    return name === null ? undefined : this.#unpaidNames.get(name)
  }

  /** Paid orders that were confirmed with this payment. */
  paidBy(paymentId: string | null): readonly OurOrder[] {
    return (paymentId !== null && this.#byPayment.get(paymentId)) || []
  }
}

/** A key goes before a number: it is what the partner calls the order. */
const namesOf = (orders: readonly OurOrder[]) =>
  new Map([
    ...orders.map((order) => [order.orderId, order] as const),
    ...orders.map((order) => [order.partnerOrderId, order] as const),
  ])
