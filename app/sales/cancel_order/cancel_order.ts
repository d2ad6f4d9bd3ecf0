import { isConfirmed } from '#sales/order_status'
import { cancelPendingOrder } from '#sales/cancel_order/cancel_order_sql'
import { findOrder, type Order } from '#sales/queries/find_order'
import type { Actor } from '#shared/actor'
import { refuse } from '#shared/refusals'
import { actorParams } from '#shared/journal'

export interface CancelOrderInput {
  partnerId: number
  actor: Actor
  orderId: string
}

/** Cancels a pending order and returns its seats to sale at once; a repeat changes nothing (contract, cancel). */
export default class CancelOrder {
  async handle({ partnerId, actor, orderId }: CancelOrderInput): Promise<Order> {
    await cancelPendingOrder({ ...actorParams(actor), orderId, partnerId })
    const order = await findOrder(partnerId, orderId)
    if (!order) refuse('ORDER_NOT_FOUND')
    if (isConfirmed(order.status)) refuse('ORDER_NOT_CANCELLABLE', { status: order.status })
    return order
  }
}
