import type { AgeRating, EventStatus, EventType } from '#catalog/event_status'
import type { FullyLocalizedText, LocalizedText } from '#shared/localized_text'

/** One event as a partner sees it. */
export interface GrantedEventRow {
  id: string
  title: FullyLocalizedText
  description: LocalizedText
  hall_name: LocalizedText
  venue_name: LocalizedText
  status: EventStatus
  access: 'active' | 'revoked' | null
  event_type: EventType | null
  age_rating: AgeRating | null
  starts_at: Date
  ends_at: Date
  sales_start_at: Date | null
  venue_id: string
  max_seats_per_booking: number
  price_from_tenge: bigint | null
  plan_digest: string | null
  updated_at: Date
  utc_offset_minutes: number
}

/** `updated_at` includes changes by the clock. Aliases: events e, halls h, venues v, event_grants g. */
export const EVENT_COLUMNS = `
  e.id, e.title, e.description, h.name AS hall_name, v.name AS venue_name,
  event_status(e.stored_status, e.sales_start_at, e.starts_at, now()) AS status,
  g.access, e.event_type, e.age_rating, e.starts_at, e.ends_at, e.sales_start_at, e.venue_id,
  e.max_seats_per_booking, e.price_from_tenge, h.plan_digest, v.utc_offset_minutes,
  GREATEST(
    e.updated_at, g.updated_at,
    CASE WHEN e.stored_status = 'sales_scheduled' AND e.sales_start_at <= now() THEN e.sales_start_at END,
    CASE WHEN e.stored_status NOT IN ('cancelled', 'sales_closed') AND e.starts_at <= now() THEN e.starts_at END
  ) AS updated_at`

export const EVENT_PLACE = `
  JOIN halls h ON h.id = e.hall_id JOIN venues v ON v.id = e.venue_id`
