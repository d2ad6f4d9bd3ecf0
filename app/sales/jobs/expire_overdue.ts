import { lapseRequests } from '#sales/queries/cancellation_requests'
import { tellExpired } from '#sales/queries/tell_expired'
import { statement } from '#shared/statement'

const BATCH = 1_000

const expireBookings = statement<{ count: number }, { limit: number }>(
  'sweep_bookings',
  `WITH due AS MATERIALIZED (
     SELECT id FROM bookings WHERE stored_status = 'active' AND expires_at <= clock_timestamp()
      ORDER BY expires_at LIMIT :limit FOR UPDATE SKIP LOCKED),
   expired AS (
     UPDATE bookings SET stored_status = 'expired' FROM due WHERE bookings.id = due.id
     RETURNING bookings.id, partner_id, event_id, expires_at),
   entry AS (
     INSERT INTO journal (name, actor_kind, actor, partner_id, event_id, booking_id, change)
     SELECT 'booking_expired', 'clock', 'clock', partner_id, event_id, id, ${tellExpired('expires_at', 'expired.id')}
       FROM expired)
   SELECT count(*)::int FROM expired`
)
// Half a minute later: a confirm that arrived in time may still be waiting, and must find its order pending.
const expireOrders = statement<{ count: number }, { limit: number }>(
  'sweep_orders',
  `WITH due AS MATERIALIZED (
     SELECT id FROM orders WHERE stored_status = 'pending' AND window_ends_at <= clock_timestamp() - interval '30 seconds'
      ORDER BY window_ends_at LIMIT :limit FOR NO KEY UPDATE SKIP LOCKED),
   expired AS (
     UPDATE orders SET stored_status = 'expired' FROM due WHERE orders.id = due.id
     RETURNING orders.id, partner_id, event_id, booking_id),
   entry AS (
     INSERT INTO journal (name, actor_kind, actor, partner_id, event_id, booking_id, order_id)
     SELECT 'order_expired', 'clock', 'clock', partner_id, event_id, booking_id, id FROM expired)
   SELECT count(*)::int FROM expired`
)

/**
 * Writes down what the clock has already decided. Seats need nothing: a lapsed hold is free by itself.
 * Safe to run twice at once; its cost grows with what is due.
 */
export default async function expireOverdue(stopping?: AbortSignal) {
  for (const sweep of [expireBookings, expireOrders]) {
    let swept = BATCH
    while (swept === BATCH) {
      stopping?.throwIfAborted()
      const { count } = await sweep.one({ limit: BATCH })
      swept = count
    }
  }
  await lapseRequests({ eventId: null })
}
