import type { OurOrder } from '#reconciliation/matching/match_case'
import { MOST_CANDIDATES } from '#reconciliation/matching/our_orders'
import {
  foldId,
  keysOfLostDigits,
  lostDigitsKey,
  lostDigitsOf,
} from '#reconciliation/reading/read_id'

const NONE: readonly OurOrder[] = []

/** Our orders by what their identifiers become when they are repaired, or lose their last digits. */
export class RepairedIds {
  readonly #names = new Map<string, OurOrder[]>()
  readonly #payments = new Map<string, OurOrder[]>()

  named(id: string | null) {
    return findIn(this.#names, id)
  }

  paidBy(id: string | null) {
    return findIn(this.#payments, id)
  }

  /** `kept` tells how many leading digits damaged identifiers of the register have. */
  add(orders: readonly OurOrder[], kept: ReadonlySet<number>): void {
    for (const order of orders) {
      for (const id of [order.partnerOrderId, order.orderId]) addTo(this.#names, id, order, kept)
      if (order.externalPaymentId !== null)
        addTo(this.#payments, order.externalPaymentId, order, kept)
    }
  }
}

function addTo(
  index: Map<string, OurOrder[]>,
  id: string,
  order: OurOrder,
  kept: ReadonlySet<number>
) {
  const folded = foldId(id)
  push(index, folded, order)
  for (const digits of kept) {
    for (const key of keysOfLostDigits(folded, digits)) push(index, key, order)
  }
}

/** One more than may be looked at is enough to know that there are too many. */
function push(index: Map<string, OurOrder[]>, key: string, order: OurOrder) {
  const orders = index.get(key)
  if (!orders) index.set(key, [order])
  else if (orders.length <= MOST_CANDIDATES && orders.at(-1) !== order) orders.push(order)
}

function findIn(index: Map<string, OurOrder[]>, id: string | null): readonly OurOrder[] {
  if (id === null) return NONE
  const lost = lostDigitsOf(id)
  return index.get(foldId(id)) ?? (lost && index.get(lostDigitsKey(lost))) ?? NONE
}
