import { lapseRequests } from '#sales/cancel_event/cancellation_requests_sql'
import { expiredBookingDetails } from '#sales/expired_booking_details'
import { journalEntry } from '#shared/journal'
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
     ${journalEntry('booking_expired', {
       from: 'expired',
       by: 'clock',
       partnerId: 'partner_id',
       eventId: 'event_id',
       bookingId: 'id',
       details: expiredBookingDetails('expires_at', 'expired.id'),
     })})
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
     ${journalEntry('order_expired', {
       from: 'expired',
       by: 'clock',
       partnerId: 'partner_id',
       eventId: 'event_id',
       bookingId: 'booking_id',
       orderId: 'id',
     })})
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
