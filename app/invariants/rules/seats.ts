import { sqlRules } from '#invariants/invariant'
import { CHANGED_ORDERS } from '#invariants/rules/changed_orders'

/** A live ticket, a live hold of a booking, or one of a pending order. */
const claims = (ticketsOf: string) => `
  SELECT t.event_seat_id AS seat, o.booking_id::text AS booking_id, 'order' AS kind, o.id::text AS id, t.number::text AS ticket
    FROM ${ticketsOf} JOIN tickets t ON t.order_id = o.id AND t.status IN ('active', 'used')
   UNION ALL
  SELECT bs.event_seat_id, b.id, 'booking', b.id, NULL
    FROM bookings b JOIN booking_seats bs ON bs.booking_id = b.id
   WHERE b.stored_status = 'active' AND b.expires_at > :asOf
   UNION ALL
  SELECT bs.event_seat_id, o.booking_id, 'order', o.id, NULL
    FROM orders o JOIN booking_seats bs ON bs.booking_id = o.booking_id
   WHERE o.stored_status = 'pending' AND o.window_ends_at > :asOf`

// A ticket's seat may be claimed by a ticket that has not changed; live holds are all read.
const CLAIMED_TWICE = `
  SELECT 'SEAT_CLAIMED_TWICE' AS code, 'event' AS kind, s.event_id AS id, s.space_id AS label
    FROM event_seats s
   WHERE s.id IN (
     SELECT seat FROM looked GROUP BY seat HAVING count(*) > 1
      UNION
     SELECT c.seat FROM looked c JOIN tickets t
         ON t.event_seat_id = c.seat AND t.status IN ('active', 'used') AND t.number IS DISTINCT FROM c.ticket)`

const SEAT_OF_ANOTHER = `
  SELECT 'SEAT_OF_ANOTHER' AS code, c.kind, c.id, coalesce(c.ticket, s.space_id) AS label
    FROM looked c JOIN event_seats s ON s.id = c.seat
   WHERE s.held_by IS DISTINCT FROM c.booking_id
      OR s.state <> CASE WHEN c.ticket IS NULL THEN 'free' ELSE 'sold' END
      OR (c.ticket IS NULL AND s.hold_until IS NULL)`

export const findSeatsSoldTwice = sqlRules('seats', {
  all: claims('orders o'),
  changed: claims(`(${CHANGED_ORDERS}) changed JOIN orders o ON o.id = changed.id`),
  counterexamples: `${CLAIMED_TWICE} UNION ALL ${SEAT_OF_ANOTHER}`,
})

/** A minute of the sweep's own five seconds, and room for a worker that is just being restarted. */
const PATIENCE = `interval '5 minutes'`

export const findUnsweptHolds = sqlRules('holds', {
  all: `SELECT 'booking' AS kind, id::text AS id, expires_at AS ends_at FROM bookings WHERE stored_status = 'active'
         UNION ALL
        SELECT 'order', id, window_ends_at FROM orders WHERE stored_status = 'pending'`,
  changed: null,
  counterexamples: `SELECT 'NOT_SWEPT' AS code, kind, id, id AS label FROM looked WHERE ends_at < :asOf::timestamptz - ${PATIENCE}`,
})
