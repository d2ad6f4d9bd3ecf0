import type { Customer } from '#sales/customer'
import type { SellingPartner } from '#sales/selling_partner'
import type { Actor } from '#shared/actor'
import type { SeatJson } from '#sales/queries/find_booking'
import { passGate } from '#catalog/sale_gate'
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
  sale_open: boolean
  found: FoundSeat[]
  created_at: Date
  expires_at: Date
  total_tenge: bigint
}

/**
 * One statement, one round trip: keeps the event's status from changing, then the seats in id
 * order so that two bookings never deadlock, and writes all or nothing.
 * A seat whose hold has lapsed is free: the old booking is left to the sweep.
 */
export const insertBooking = statement<Outcome>(
  'book_seats',
  `WITH gate AS MATERIALIZED (${passGate('$4')}),
   e AS MATERIALIZED (
     SELECT events.id FROM events, gate
      WHERE id = $4 AND event_status(stored_status, sales_start_at, starts_at, clock_timestamp()) = 'sales_open'
        FOR SHARE OF events),
   seats AS MATERIALIZED (
     SELECT s.id, s.space_id, s.price_tenge, s.category_code,
            s.price_tenge IS NOT NULL
              AND seat_status(s.state, s.hold_until, clock_timestamp()) = 'free' AS is_sellable
       FROM event_seats s, e
      WHERE s.event_id = e.id AND s.space_id = ANY($5::text[])
      ORDER BY s.id FOR NO KEY UPDATE OF s),
   verdict AS MATERIALIZED (
     SELECT count(*) FILTER (WHERE is_sellable) = cardinality($5::text[]) AS is_granted,
            sum(price_tenge)::bigint AS total_tenge, clock_timestamp() AS at
       FROM seats),
   booking AS (
     INSERT INTO bookings (id, partner_id, partner_booking_id, event_id, customer, total_tenge,
                           ttl_seconds, created_at, expires_at)
     SELECT $1, $2, $3, $4, $6::jsonb, total_tenge, $7::int, at, at + make_interval(secs => $7::int)
       FROM verdict WHERE is_granted
     ON CONFLICT (partner_id, partner_booking_id) DO NOTHING
     RETURNING *),
   hold AS (
     UPDATE event_seats s SET held_by = booking.id, hold_until = booking.expires_at
       FROM booking, seats WHERE s.id = seats.id),
   asked AS (SELECT * FROM unnest($5::text[]) WITH ORDINALITY AS asked (space_id, position)),
   lines AS (
     INSERT INTO booking_seats (booking_id, position, event_seat_id, space_id, category_code, price_tenge)
     SELECT booking.id, asked.position, seats.id, space_id, seats.category_code, seats.price_tenge
       FROM booking, asked JOIN seats USING (space_id)),
   entry AS (
     INSERT INTO journal (name, actor_kind, actor, request_id, partner_id, event_id, booking_id)
     SELECT 'booking_created', $8, $9, $10::uuid, $2, $4, id FROM booking)
   SELECT EXISTS (SELECT 1 FROM e) AS sale_open, booking.created_at, booking.expires_at, booking.total_tenge,
          (SELECT coalesce(json_agg(seats), '[]') FROM seats) AS found
     FROM (VALUES (1)) one LEFT JOIN booking ON true`
)

/** Null when nothing was held; `found` then tells which seats exist and which of them could be sold. */
export async function bookSeats(input: BookingRequest, bookingId: string) {
  const { partner, partnerBookingId, eventId, seats, customer, actor } = input
  const {
    sale_open: saleOpen,
    found,
    ...booking
  } = await insertBooking.one([
    ...[bookingId, partner.id, partnerBookingId, eventId, seats],
    ...[customer && JSON.stringify(customer), partner.holdSeconds],
    ...[actor.kind, actor.name, actor.requestId],
  ])
  return { saleOpen, found, booking: booking.created_at ? booking : null }
}
