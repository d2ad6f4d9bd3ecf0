import { rows } from './sql.js'

// One statement, hence one snapshot and one reading of the clock for all rules.
const BROKEN_RULES = `
WITH clock AS MATERIALIZED (SELECT clock_timestamp() AS at),
live_tickets AS (SELECT * FROM tickets WHERE event_id = $1 AND status IN ('active', 'used')),
live_holds AS (
  SELECT b.id, b.partner_id, bs.event_seat_id, o.stored_status AS order_status
    FROM clock, bookings b LEFT JOIN orders o ON o.booking_id = b.id
    JOIN booking_seats bs ON bs.booking_id = b.id
   WHERE b.event_id = $1
     AND ((b.stored_status = 'active' AND b.expires_at > clock.at)
       OR (o.stored_status = 'pending' AND o.window_ends_at > clock.at))),
sums AS (
  SELECT o.id, o.stored_status, o.total_tenge, b.total_tenge AS booked, o.partner_id = b.partner_id AS is_same_partner,
         (SELECT sum(price_tenge) FROM booking_seats bs WHERE bs.booking_id = b.id) AS seats_sum,
         (SELECT count(*) FROM booking_seats bs WHERE bs.booking_id = b.id) AS seats,
         t.sum AS tickets_sum, t.count AS tickets, t.refunded
    FROM orders o JOIN bookings b ON b.id = o.booking_id,
    LATERAL (SELECT sum(price_tenge), count(*), count(*) FILTER (WHERE void_cause = 'refund') AS refunded
               FROM tickets WHERE order_id = o.id) t
   WHERE o.event_id = $1)
SELECT 'two live tickets' AS rule, event_seat_id::text AS subject FROM live_tickets
 GROUP BY event_seat_id HAVING count(*) > 1
UNION ALL
SELECT 'two live holds', event_seat_id::text FROM live_holds GROUP BY event_seat_id HAVING count(*) > 1
UNION ALL
SELECT 'live hold of a seat with a live ticket', h.event_seat_id::text
  FROM live_holds h JOIN live_tickets t USING (event_seat_id)
UNION ALL
SELECT 'live booking without one of its seats', h.id || ' ' || s.space_id
  FROM live_holds h JOIN event_seats s ON s.id = h.event_seat_id, clock
 WHERE s.held_by IS DISTINCT FROM h.id OR s.state <> 'free' OR s.hold_until IS NULL OR s.hold_until <= clock.at
UNION ALL
SELECT 'live ticket without its seat', t.id
  FROM live_tickets t JOIN orders o ON o.id = t.order_id JOIN event_seats s ON s.id = t.event_seat_id
 WHERE s.state <> 'sold' OR s.held_by <> o.booking_id
UNION ALL
SELECT 'sold seat without a ticket', s.space_id
  FROM event_seats s
 WHERE s.event_id = $1 AND s.state = 'sold' AND s.held_by LIKE 'bkg%'
   AND NOT EXISTS (SELECT 1 FROM tickets t JOIN orders o ON o.id = t.order_id
                    WHERE o.booking_id = s.held_by AND t.event_seat_id = s.id
                      AND t.void_cause IS DISTINCT FROM 'refund')
UNION ALL
SELECT 'totals differ', id FROM sums
 WHERE total_tenge <> booked OR booked <> seats_sum OR NOT is_same_partner
    OR (tickets > 0 AND tickets_sum <> total_tenge)
UNION ALL
SELECT 'money moved against live and void tickets', o.id
  FROM orders o,
       LATERAL (SELECT coalesce(sum(price_tenge) FILTER (WHERE status <> 'void'), 0) AS worth FROM tickets WHERE order_id = o.id) t,
       LATERAL (SELECT coalesce(sum(m.amount_tenge), 0) AS moved FROM ledger_movements m
                 WHERE m.source IN (SELECT id FROM tickets WHERE order_id = o.id UNION ALL SELECT o.id)
                   AND m.kind IN ('sale', 'refund', 'event_cancel', 'platform_void')) l
 WHERE o.event_id = $1 AND t.worth <> l.moved
UNION ALL
SELECT 'half paid', id FROM sums
 WHERE tickets <> CASE WHEN stored_status IN ('paid', 'refunded', 'partially_refunded') THEN seats ELSE 0 END
UNION ALL
SELECT 'status against tickets', id FROM sums
 WHERE (stored_status = 'paid' AND refunded > 0)
    OR (stored_status = 'refunded' AND refunded <> tickets)
    OR (stored_status = 'partially_refunded' AND (refunded = 0 OR refunded = tickets))
UNION ALL
SELECT 'converted without its order', b.id
  FROM bookings b LEFT JOIN orders o ON o.booking_id = b.id
 WHERE b.event_id = $1
   AND ((b.stored_status = 'converted') <> (o.id IS NOT NULL) OR b.order_id IS DISTINCT FROM o.id)
UNION ALL
SELECT 'valid ticket of a cancelled event', t.id
  FROM tickets t JOIN events e ON e.id = t.event_id
 WHERE e.id = $1 AND e.stored_status = 'cancelled' AND t.status = 'active'
UNION ALL
SELECT 'active booking of a cancelled event', b.id
  FROM bookings b JOIN events e ON e.id = b.event_id
 WHERE e.id = $1 AND e.stored_status = 'cancelled' AND b.stored_status = 'active'
UNION ALL
SELECT 'confirm attempt without an answer', a.id::text
  FROM confirm_attempts a JOIN orders o ON o.id = a.order_id_sent
 WHERE o.event_id = $1 AND a.http_status IS NULL
UNION ALL
SELECT 'paid without an accepted attempt', o.id
  FROM orders o
 WHERE o.event_id = $1 AND o.confirmed_at IS NOT NULL
   AND NOT EXISTS (SELECT 1 FROM confirm_attempts a WHERE a.order_id_sent = o.id AND a.http_status = 200)`

export interface BrokenRule {
  rule: string
  subject: string
}

/** What must never be true of an event's rows, whatever happened to it; empty when all is well. */
export async function brokenRules(
  eventId: string,
  { except = [] }: { except?: string[] } = {}
): Promise<BrokenRule[]> {
  const broken = (await rows(BROKEN_RULES, [eventId])) as BrokenRule[]
  return broken.filter(({ rule }) => !except.includes(rule))
}
