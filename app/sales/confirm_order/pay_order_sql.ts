import { journalEntry, type ActorParams } from '#shared/journal'
import type { OrderRow } from '#sales/queries/find_order'
import { LONGER_LOCK_WAIT } from '#sales/longer_lock_wait'
import { BOOKED_SEATS } from '#sales/queries/find_booking'
import { passGate } from '#catalog/sale_gate'
import { statement } from '#shared/statement'

/**
 * Pays an order and issues its tickets, all or nothing, in one statement: locks the event against cancellation, then the order,
 * then its seats in id order; writes order, seats, tickets, the attempt's answer and the journal's entry.
 * No row when the order is no longer pending, its window had closed when the confirm was received, the event is cancelled, or a
 * seat went to somebody else once its hold had run out.
 *
 * The wait for the locks may go past the end of the window. The order is still stored as pending then, because the sweep leaves
 * it so for 30 s (app/sales/expire_overdue/expire_overdue.ts).
 * The order is looked up by its id alone and judged afterwards (as in open_order).
 */
export const payOrder = statement<
  OrderRow,
  ActorParams & {
    orderId: string
    eventId: string
    receivedAt: string
    amountTenge: bigint
    eventSeatIds: number[]
    paidAtRaw: string
    paidAt: Date
    externalPaymentId: string
    currency: string
    method: string | null
    ticketIds: string[]
    ticketNumbers: string[]
    pricesTenge: number[]
    qrTokens: string[]
    attemptId: bigint
  }
>(
  'pay_order',
  `WITH ${LONGER_LOCK_WAIT},
   gate AS MATERIALIZED (${passGate(':eventId')} FROM longer_lock_wait),
   o AS MATERIALIZED (
     SELECT o.* FROM gate, orders o WHERE o.id = :orderId AND gate.status <> 'cancelled' FOR NO KEY UPDATE OF o),
   -- A held seat is stored as free; held_by says whose hold it is.
   seats AS MATERIALIZED (
     SELECT s.id FROM event_seats s, o
      WHERE s.id = ANY(:eventSeatIds::bigint[]) AND s.held_by = o.booking_id AND s.state = 'free'
      ORDER BY s.id FOR NO KEY UPDATE OF s),
   payable AS MATERIALIZED (
     SELECT o.*, clock_timestamp() AS at FROM o
      WHERE o.event_id = :eventId AND o.stored_status = 'pending' AND o.window_ends_at > :receivedAt::timestamptz
        AND o.total_tenge = :amountTenge AND (SELECT count(*) FROM seats) = cardinality(:eventSeatIds::bigint[])),
   paid AS (
     UPDATE orders SET stored_status = 'paid', confirmed_at = payable.at, payment_amount_tenge = :amountTenge,
            payment_paid_at_raw = :paidAtRaw, payment_paid_at = :paidAt, payment_external_id = :externalPaymentId,
            payment_currency = :currency, payment_method = :method
       FROM payable WHERE orders.id = payable.id
     RETURNING orders.*),
   sold AS (
     UPDATE event_seats s SET state = 'sold', hold_until = NULL FROM payable, seats WHERE s.id = seats.id),
   issued AS (
     INSERT INTO tickets (id, number, order_id, event_id, event_seat_id, position, price_tenge, qr_token, issued_at)
     SELECT t.id, t.number, payable.id, payable.event_id, t.event_seat_id, t.position, t.price_tenge, t.qr_token, payable.at
       FROM payable, unnest(:ticketIds::text[], :ticketNumbers::text[], :eventSeatIds::bigint[], :pricesTenge::bigint[], :qrTokens::text[])
                 WITH ORDINALITY AS t (id, number, event_seat_id, price_tenge, qr_token, position)),
   answered AS (
     UPDATE confirm_attempts a SET http_status = 200, answered_at = payable.at, order_status = 'paid',
            window_ends_at = payable.window_ends_at
       FROM payable WHERE a.id = :attemptId AND a.received_at = :receivedAt::timestamptz),
   entry AS (
     ${journalEntry('order_confirmed', {
       from: 'payable',
       by: 'actor',
       partnerId: 'partner_id',
       eventId: 'event_id',
       bookingId: 'booking_id',
       orderId: 'id',
     })})
   SELECT paid.id, paid.partner_order_id, paid.booking_id, paid.event_id, paid.stored_status AS status,
          paid.customer, paid.total_tenge, paid.created_at, paid.window_ends_at, paid.payment_amount_tenge,
          paid.payment_paid_at, paid.payment_external_id, paid.payment_currency, paid.payment_method,
          ${BOOKED_SEATS} AS seats, v.utc_offset_minutes
     FROM paid JOIN bookings b ON b.id = paid.booking_id
     JOIN events ev ON ev.id = paid.event_id JOIN venues v ON v.id = ev.venue_id`
)
