import type { WithDates } from '#staff_area/page_props'
import type { TimelineEntry } from '#back_office/orders/orders_props'
import type {
  CancellationRequest,
  CategoryPrice,
  EventFacts,
  SectorLine,
} from '#back_office/events/events_props'
import { EVENT_EDITION } from '#catalog/event_edition'
import { isId } from '#shared/public_id'
import { refuse } from '#shared/refusals'
import { statement } from '#shared/statement'

/** An event as PostgreSQL returns it. */
export type StoredEvent = WithDates<
  EventFacts,
  'startsAt' | 'endsAt' | 'salesStartAt' | 'cancelledAt' | 'createdAt'
>

const selectEvent = statement<StoredEvent, { id: string }>(
  'back_office_event',
  `SELECT e.id, e.title, e.description, h.name AS hall, v.name AS venue,
          event_status(e.stored_status, e.sales_start_at, e.starts_at, now()) AS status,
          e.event_type AS type, e.age_rating AS "ageRating", e.starts_at AS "startsAt", e.ends_at AS "endsAt",
          e.sales_start_at AS "salesStartAt", e.starts_at <= now() AS "hasStarted",
          e.stored_status = 'cancelled' OR e.ends_at <= now() AS "isOver",
          e.max_seats_per_booking AS "maxSeatsPerBooking", e.price_from_tenge::float8 AS "priceFromTenge",
          e.cancelled_at AS "cancelledAt", e.cancellation_reason AS "cancellationReason", e.created_at AS "createdAt",
          ${EVENT_EDITION} AS edition
     FROM events e JOIN halls h ON h.id = e.hall_id JOIN venues v ON v.id = e.venue_id WHERE e.id = :id`
)

export const readPrices = statement<CategoryPrice, { id: string }>(
  'back_office_event_prices',
  `SELECT p.category_code AS category, p.price_tenge::float8 AS "priceTenge",
          coalesce(s.seats, 0) AS seats, coalesce(s.sold, 0) AS sold
     FROM event_prices p LEFT JOIN (
            SELECT category_code, count(*)::int AS seats, (count(*) FILTER (WHERE state = 'sold'))::int AS sold
              FROM event_seats WHERE event_id = :id GROUP BY category_code) s USING (category_code)
    WHERE p.event_id = :id
    ORDER BY array_position(ARRAY['standard', 'vip', 'fan', 'invitation', 'service'], p.category_code::text)`
)

export const readSectors = statement<SectorLine, { id: string }>(
  'back_office_event_sectors',
  `SELECT s.public_id AS id, s.name, counted.total, counted.free, counted.held, counted.sold, counted.blocked,
          counted."priceFromTenge"
     FROM (SELECT sector_id, count(*)::int AS total, min(price_tenge)::float8 AS "priceFromTenge",
                  (count(*) FILTER (WHERE status = 'free'))::int AS free,
                  (count(*) FILTER (WHERE status = 'held'))::int AS held,
                  (count(*) FILTER (WHERE status = 'sold'))::int AS sold,
                  (count(*) FILTER (WHERE status = 'blocked'))::int AS blocked
             FROM (SELECT sector_id, price_tenge, seat_status(state, hold_until, now()) AS status
                     FROM event_seats WHERE event_id = :id) seat
            GROUP BY sector_id) counted
     JOIN sectors s ON s.id = counted.sector_id ORDER BY s.position, s.id`
)

// The partner's name is added, because the journal stores only its id.
export const readHistory = statement<TimelineEntry, { id: string }>(
  'back_office_event_history',
  `SELECT j.at, 'journal' AS kind, j.name, j.actor_kind AS "actorKind", j.actor, j.request_id AS "requestId",
          jsonb_strip_nulls(jsonb_build_object('partner', p.name)) || j.change AS detail
     FROM journal j LEFT JOIN partners p ON p.id = j.partner_id
    WHERE j.event_id = :id AND j.booking_id IS NULL AND j.order_id IS NULL AND j.name NOT LIKE 'storefront%'
    ORDER BY j.id DESC LIMIT 100`
)

export async function findEvent(id: string): Promise<StoredEvent> {
  if (!isId('evt', id)) refuse('EVENT_NOT_FOUND')
  return (await selectEvent.first({ id })) ?? refuse('EVENT_NOT_FOUND')
}

const selectOpenRequest = statement<CancellationRequest, { eventId: string }>(
  'back_office_open_cancellation',
  `SELECT id, reason, asked_by AS "askedBy", asked_at AS "askedAt", lapses_at AS "lapsesAt" FROM cancellation_requests
    WHERE event_id = :eventId AND outcome IS NULL AND lapses_at > now()`
)

/** A request to cancel the event that waits for a second person. */
export const findOpenRequest = async (eventId: string) =>
  (await selectOpenRequest.first({ eventId })) ?? null
