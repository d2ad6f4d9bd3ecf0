import { isConfirmed } from '#sales/order_status'
import { LONGER_LOCK_WAIT } from '#sales/queries/longer_lock_wait'
import { findOrder, type Order } from '#sales/queries/find_order'
import type { Actor } from '#shared/actor'
import { refuse } from '#shared/refusals'
import { statement } from '#shared/statement'

export interface CancelOrderInput {
  partnerId: number
  actor: Actor
  orderId: string
}

const cancelPending = statement<
  object,
  { orderId: string; partnerId: number; actorKind: string; actor: string; requestId: string | null }
>(
  'cancel_order',
  `WITH ${LONGER_LOCK_WAIT},
   o AS MATERIALIZED (
     SELECT o.* FROM patient, orders o
      WHERE o.id = :orderId AND o.partner_id = :partnerId AND o.stored_status = 'pending' AND o.window_ends_at > clock_timestamp()
        FOR NO KEY UPDATE OF o),
   seats AS MATERIALIZED (
     SELECT s.id FROM event_seats s, o
      WHERE s.id IN (SELECT event_seat_id FROM booking_seats WHERE booking_id = o.booking_id)
        AND s.held_by = o.booking_id AND s.state = 'free'
      ORDER BY s.id FOR NO KEY UPDATE OF s),
   freed AS (
     UPDATE event_seats s SET held_by = NULL, hold_until = NULL FROM seats WHERE s.id = seats.id),
   cancelled AS (
     UPDATE orders SET stored_status = 'cancelled', cancelled_at = clock_timestamp()
       FROM o WHERE orders.id = o.id),
   entry AS (
     INSERT INTO journal (name, actor_kind, actor, request_id, partner_id, event_id, booking_id, order_id)
     SELECT 'order_cancelled', :actorKind, :actor, :requestId::uuid, partner_id, event_id, booking_id, id FROM o)
   SELECT id FROM o`
)

/** Cancels a pending order and returns its seats to sale at once; a repeat changes nothing (contract, cancel). */
export default class CancelOrder {
  async handle({ partnerId, actor, orderId }: CancelOrderInput): Promise<Order> {
    await cancelPending({
      orderId,
      partnerId,
      actorKind: actor.kind,
      actor: actor.name,
      requestId: actor.requestId,
    })
    const order = await findOrder(partnerId, orderId)
    if (!order) refuse('ORDER_NOT_FOUND')
    if (isConfirmed(order.status)) refuse('ORDER_NOT_CANCELLABLE', { status: order.status })
    return order
  }
}
