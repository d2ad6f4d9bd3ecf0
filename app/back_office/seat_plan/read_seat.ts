import type { SeatAnswer, SeatNow, SeatTicket } from '#back_office/seat_plan/seat_plan_props'
import type { TimelineEntry } from '#back_office/orders/orders_props'
import { statement } from '#shared/statement'

const selectSeat = statement<SeatNow & { id: bigint }, { eventId: string; spaceId: string }>(
  'back_office_plan_seat',
  `SELECT s.id, s.space_id AS "spaceId", s.label, r.label AS "row", sec.name AS sector, s.category_code AS category,
          ep.category_name AS "categoryName", s.price_tenge::float8 AS "priceTenge", now_is.status,
          CASE now_is.status WHEN 'held' THEN s.hold_until END AS "holdUntil", now_is.holder,
          b.order_id AS "orderId", p.name AS "partnerName",
          CASE WHEN now_is.holder LIKE 'crt!_%' ESCAPE '!' AND now_is.status = 'held' THEN
            (SELECT count(*)::int FROM event_seats c
              WHERE c.event_id = :eventId AND c.held_by = now_is.holder AND c.hold_until > now()) END AS "cartSeats"
     FROM event_seats s JOIN hall_rows r ON r.id = s.row_id JOIN sectors sec ON sec.id = s.sector_id
     LEFT JOIN event_prices ep ON ep.event_id = s.event_id AND ep.category_code = s.category_code
     CROSS JOIN LATERAL (
       SELECT status, CASE WHEN status IN ('held', 'sold') THEN s.held_by END AS holder
         FROM (SELECT seat_status(s.state, s.hold_until, now()) AS status) one) now_is
     LEFT JOIN bookings b ON b.id = now_is.holder LEFT JOIN partners p ON p.id = b.partner_id
    WHERE s.event_id = :eventId AND s.space_id = :spaceId`
)

// Every index slows down sales, so the history of a seat is found through the event's orders and bookings.
const selectTickets = statement<SeatTicket, { eventId: string; id: bigint }>(
  'back_office_plan_seat_tickets',
  `SELECT t.id, t.number, t.order_id AS "orderId", t.void_cause AS "voidCause", t.void_reason AS "voidReason",
          CASE WHEN t.status = 'active' AND e.ends_at <= now() THEN 'expired' ELSE t.status END AS status,
          t.issued_at AS "issuedAt"
     FROM events e JOIN orders o ON o.event_id = e.id
     JOIN tickets t ON t.order_id = o.id AND t.event_seat_id = :id
    WHERE e.id = :eventId ORDER BY t.issued_at DESC`
)

const selectTimeline = statement<TimelineEntry, { eventId: string; id: bigint; spaceId: string }>(
  'back_office_plan_seat_timeline',
  `WITH booked AS MATERIALIZED (
     SELECT b.id, b.order_id FROM bookings b
       JOIN booking_seats bs ON bs.booking_id = b.id AND bs.event_seat_id = :id
      WHERE b.event_id = :eventId),
   of_event AS MATERIALIZED (
     SELECT * FROM journal WHERE event_id = :eventId
        AND name IN ('seats_blocked', 'seats_unblocked', 'storefront_held', 'storefront_released', 'storefront_sold')),
   named AS MATERIALIZED (SELECT * FROM of_event WHERE change -> 'seats' ? :spaceId),
   entries AS (
     SELECT * FROM named
     UNION ALL
     SELECT * FROM of_event
      WHERE name IN ('storefront_released', 'storefront_sold')
        AND change ->> 'cart_id' IN (SELECT change ->> 'cart_id' FROM named)
     UNION ALL
     SELECT j.* FROM booked b JOIN journal j ON j.booking_id = b.id AND j.order_id IS NULL
     UNION ALL
     SELECT j.* FROM booked b JOIN journal j ON j.order_id = b.order_id
      WHERE j.name NOT IN ('tickets_refunded', 'ticket_admitted') OR EXISTS (
        SELECT FROM tickets t WHERE t.order_id = b.order_id AND t.event_seat_id = :id
           AND (j.change -> 'ticket_ids' ? t.id OR j.change ->> 'ticket_id' = t.id)))
   SELECT e.at, 'journal' AS kind, e.name, e.actor_kind::text AS "actorKind", e.actor, e.request_id AS "requestId",
          jsonb_strip_nulls(e.change - 'seats' - 'ticket_ids' || jsonb_build_object(
            'seats', CASE jsonb_typeof(e.change -> 'seats') WHEN 'array' THEN jsonb_array_length(e.change -> 'seats') END,
            'booking', e.booking_id, 'order', e.order_id)) AS detail
     FROM entries e ORDER BY e.at DESC, e.id DESC LIMIT 100`
)

/** One seat with its state, holder, tickets and history; undefined when the event has no such seat. */
export async function readSeat(eventId: string, spaceId: string): Promise<SeatAnswer | undefined> {
  const found = await selectSeat.first({ eventId, spaceId })
  if (!found) return undefined
  const { id, ...seat } = found
  const [tickets, timeline] = await Promise.all([
    selectTickets({ eventId, id }),
    selectTimeline({ eventId, id, spaceId }),
  ])
  return { seat, tickets, timeline }
}
