import { LONGER_LOCK_WAIT } from '#sales/longer_lock_wait'
import { journalEntry, type ActorParams } from '#shared/journal'
import { statement } from '#shared/statement'

/**
 * One statement: locks the order, then its seats in id order; cancels the order and frees the seats.
 * No row when the order is not this partner's, not pending, or its window is over.
 */
export const cancelPendingOrder = statement<
  { id: string },
  ActorParams & { orderId: string; partnerId: number }
>(
  'cancel_order',
  `WITH ${LONGER_LOCK_WAIT},
   o AS MATERIALIZED (
     SELECT o.* FROM longer_lock_wait, orders o
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
     ${journalEntry('order_cancelled', {
       from: 'o',
       by: 'actor',
       partnerId: 'partner_id',
       eventId: 'event_id',
       bookingId: 'booking_id',
       orderId: 'id',
     })})
   SELECT id FROM o`
)
