import { actorParams, journalEntry, type ActorParams } from '#shared/journal'
import type { Customer } from '#sales/customer'
import type { SellingPartner } from '#sales/selling_partner'
import type { Actor } from '#shared/actor'
import type { SeatJson } from '#sales/queries/find_booking'
import { passSaleAndPartnerGate } from '#catalog/sale_gate'
import { statement } from '#shared/statement'

export interface BookingRequest {
  partner: SellingPartner
  actor: Actor
  partnerBookingId: string
  eventId: string
  seats: string[]
  customer: Customer | null
}

export type FoundSeat = SeatJson & { is_sellable: boolean }

interface Outcome {
  may_book: boolean
  utc_offset_minutes: number
  found: FoundSeat[]
  created_at: Date
  expires_at: Date
  total_tenge: bigint
}

/**
 * One statement, one round trip (ordered locking, all or nothing): the event's gate first, then the seats by id, so
 * that two bookings never deadlock. It checks everything that the contract asks of a booking before it locks a seat.
 *
 *     seats 1, 2, 3 are free       A books 2, 1        B books 3, 2 at the same time
 *     A locks 1, 2                                     B waits for 2
 *     A holds 1 and 2, commits                         B finds 2 held: no row, 3 stays free
 *
 * A seat whose hold has run out counts as free; the sweep ends the old booking later.
 */
export const insertBooking = statement<
  Outcome,
  ActorParams & {
    bookingId: string
    partnerId: number
    partnerBookingId: string
    eventId: string
    seats: string[]
    customer: string | null
    holdSeconds: number
  }
>(
  'book_seats',
  `WITH gate AS MATERIALIZED (SELECT * FROM ${passSaleAndPartnerGate(':eventId', ':partnerId')}),
   e AS MATERIALIZED (
     SELECT events.id, v.utc_offset_minutes
       FROM gate, events JOIN venues v ON v.id = events.venue_id
      WHERE events.id = :eventId AND gate.status = 'sales_open' AND gate.access = 'active' AND NOT gate.is_suspended
        AND cardinality(:seats::text[]) <= gate.max_seats),
   seats AS MATERIALIZED (
     SELECT s.id, s.space_id, s.price_tenge, s.category_code,
            s.price_tenge IS NOT NULL
              AND seat_status(s.state, s.hold_until, clock_timestamp()) = 'free' AS is_sellable
       FROM event_seats s, e
      WHERE s.event_id = e.id AND s.space_id = ANY(:seats::text[])
      ORDER BY s.id FOR NO KEY UPDATE OF s),
   verdict AS MATERIALIZED (
     SELECT count(*) FILTER (WHERE is_sellable) = cardinality(:seats::text[]) AS is_granted,
            sum(price_tenge)::bigint AS total_tenge, clock_timestamp() AS at
       FROM seats),
   booking AS (
     INSERT INTO bookings (id, partner_id, partner_booking_id, event_id, customer, total_tenge,
                           ttl_seconds, created_at, expires_at)
     SELECT :bookingId, :partnerId, :partnerBookingId, :eventId, :customer::jsonb, total_tenge, :holdSeconds::int, at, at + make_interval(secs => :holdSeconds::int)
       FROM verdict WHERE is_granted
     ON CONFLICT (partner_id, partner_booking_id) DO NOTHING
     RETURNING *),
   hold AS (
     UPDATE event_seats s SET held_by = booking.id, hold_until = booking.expires_at
       FROM booking, seats WHERE s.id = seats.id),
   asked AS (SELECT * FROM unnest(:seats::text[]) WITH ORDINALITY AS asked (space_id, position)),
   lines AS (
     INSERT INTO booking_seats (booking_id, position, event_seat_id, space_id, category_code, price_tenge)
     SELECT booking.id, asked.position, seats.id, space_id, seats.category_code, seats.price_tenge
       FROM booking, asked JOIN seats USING (space_id)),
   entry AS (
     ${journalEntry('booking_created', {
       from: 'booking',
       by: 'actor',
       partnerId: ':partnerId',
       eventId: ':eventId',
       bookingId: 'id',
     })})
   SELECT e.id IS NOT NULL AS may_book, e.utc_offset_minutes,
          booking.created_at, booking.expires_at, booking.total_tenge,
          (SELECT coalesce(json_agg(seats), '[]') FROM seats) AS found
     FROM (VALUES (1)) one LEFT JOIN e ON true LEFT JOIN booking ON true`
)

/**
 * `booking` is null when nothing was held. `found` then has the seats that exist and whether each can be sold, unless
 * the partner may not book at all: sales not open, no grant, or more seats than the event allows.
 */
export async function bookSeats(input: BookingRequest, bookingId: string) {
  const { partner, partnerBookingId, eventId, seats, customer, actor } = input
  const {
    may_book: mayBook,
    found,
    ...booking
  } = await insertBooking.one({
    ...actorParams(actor),
    bookingId,
    partnerId: partner.id,
    partnerBookingId,
    eventId,
    seats,
    customer: customer && JSON.stringify(customer),
    holdSeconds: partner.holdSeconds,
  })
  return { mayBook, found, booking: booking.created_at ? booking : null }
}
