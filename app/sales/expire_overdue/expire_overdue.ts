import { lapseRequests } from '#sales/cancel_event/cancellation_requests_sql'
import { expiredBookingDetails } from '#sales/expired_booking_details'
import { journalEntry } from '#shared/journal'
import { statement } from '#shared/statement'

/**
 * Stores what the clock has already decided (lazy expiry with a sweep): every read compares with the clock, so a late
 * sweep changes nothing that anybody sees. Seats need nothing: a hold that has run out is free by itself.
 *
 *     booking until 12:00:00, order window until 12:10:00
 *     12:00:00  the booking reads as expired, its seats are free
 *     12:00:01  the sweep stores `expired` and records `booking_expired`
 *     12:10:30  the sweep stores the order's `expired`: a confirm of 12:09:59 may still be waiting for a lock
 */

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
// 30 s later: a confirm that arrived in time may still be waiting, and must find its order pending.
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

/** Stores expired bookings and orders, in batches. Safe to run twice at once; its cost grows with what is due. */
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
