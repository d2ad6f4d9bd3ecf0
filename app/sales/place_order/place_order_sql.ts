import { actorParams, journalEntry, type ActorParams } from '#shared/journal'
import platform from '#config/platform'
import type { Customer } from '#sales/customer'
import type { SellingPartner } from '#sales/selling_partner'
import type { Actor } from '#shared/actor'
import { BOOKED_SEATS } from '#sales/queries/find_booking'
import { toOrder, type Order, type OrderRow } from '#sales/queries/find_order'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { passSaleAndPartnerGate } from '#catalog/sale_gate'
import { statement } from '#shared/statement'

export interface OrderRequest {
  partner: SellingPartner
  actor: Actor
  bookingId: string
  partnerOrderId: string
  customer: Customer
}

/**
 * One statement: locks event, booking and seats in that order, then turns the booking into an order
 * and moves the hold of its seats to the end of the payment window.
 * No row when the booking or one of its seats is no longer the partner's to order, or when as many orders as
 * `room` allows are pending; the count stops there, beyond it the number doesn't matter.
 * Rows are looked up by their id alone and judged afterwards: on a young table, without statistics, PostgreSQL
 * would take any index that fits another condition.
 */
export const insertOrder = statement<
  OrderRow,
  ActorParams & {
    room: number
    bookingId: string
    partnerId: number
    prefix: string
    partnerOrderId: string
    customer: string
    windowSeconds: number
  }
>(
  'open_order',
  `WITH asked AS MATERIALIZED (SELECT event_id, partner_id FROM bookings WHERE id = :bookingId),
   gate AS MATERIALIZED (
     SELECT passed.* FROM asked, LATERAL ${passSaleAndPartnerGate('asked.event_id', 'asked.partner_id')} passed
      WHERE asked.partner_id = :partnerId),
   b AS MATERIALIZED (
     SELECT b.* FROM gate, bookings b
      WHERE b.id = :bookingId AND gate.status <> 'cancelled' AND gate.access = 'active' AND NOT gate.is_suspended
        AND (SELECT count(*) FROM (SELECT 1 FROM orders
                                    WHERE partner_id = :partnerId AND stored_status = 'pending'
                                      AND window_ends_at > clock_timestamp()
                                    LIMIT :room::int) pending) < :room::int
        FOR UPDATE OF b),
   lines AS MATERIALIZED (SELECT bs.event_seat_id FROM booking_seats bs, b WHERE bs.booking_id = b.id),
   seats AS MATERIALIZED (
     SELECT s.id FROM event_seats s, b
      WHERE s.id IN (SELECT event_seat_id FROM lines) AND s.held_by = b.id AND s.state = 'free'
      ORDER BY s.id FOR NO KEY UPDATE OF s),
   placed AS (
     INSERT INTO orders (id, partner_id, partner_order_id, booking_id, event_id, customer, total_tenge,
                         created_at, window_ends_at)
     SELECT :prefix || to_char(clock.at AT TIME ZONE 'UTC' + interval '5 hours', '-YYYY-')
              || lpad(number.n::text, greatest(6, length(number.n::text)), '0'),
            :partnerId, :partnerOrderId, b.id, b.event_id, :customer::jsonb, b.total_tenge, clock.at, clock.at + make_interval(secs => :windowSeconds::int)
       FROM b, (SELECT nextval('order_numbers') AS n) number, (SELECT clock_timestamp() AS at) clock
      WHERE b.stored_status = 'active' AND b.expires_at > clock.at
        AND (SELECT count(*) FROM seats) = (SELECT count(*) FROM lines)
     ON CONFLICT DO NOTHING
     RETURNING *),
   conversion AS (
     UPDATE bookings SET stored_status = 'converted', order_id = placed.id
       FROM placed WHERE bookings.id = placed.booking_id),
   hold AS (
     UPDATE event_seats s SET hold_until = placed.window_ends_at
       FROM placed, seats WHERE s.id = seats.id),
   entry AS (
     ${journalEntry('order_placed', {
       from: 'placed',
       by: 'actor',
       partnerId: ':partnerId',
       eventId: 'event_id',
       bookingId: 'booking_id',
       orderId: 'id',
     })})
   SELECT placed.id, placed.partner_order_id, placed.booking_id, placed.event_id, placed.stored_status AS status,
          placed.customer, placed.total_tenge, placed.created_at, placed.window_ends_at,
          NULL::bigint AS payment_amount_tenge, NULL::json AS tickets, ${BOOKED_SEATS} AS seats, v.utc_offset_minutes
     FROM placed JOIN b ON b.id = placed.booking_id
     JOIN events ev ON ev.id = placed.event_id JOIN venues v ON v.id = ev.venue_id`
)

export async function openOrder(
  input: OrderRequest,
  room: number,
  client?: QueryClientContract
): Promise<Order | undefined> {
  const { partner, bookingId, partnerOrderId, customer, actor } = input
  const row = await insertOrder.first(
    {
      ...actorParams(actor),
      room,
      bookingId,
      partnerId: partner.id,
      prefix: platform.prefix,
      partnerOrderId,
      customer: JSON.stringify(customer),
      windowSeconds: partner.paymentWindowSeconds,
    },
    client
  )
  return row && toOrder(row)
}
