import { render } from '#partner_api/envelope'
import platform from '#config/platform'
import type { GrantedEventRow } from '#partners/granted_event'
import { atOffset } from '#shared/instants'

const rendered = new WeakMap<GrantedEventRow, Buffer>()

/** The response body of an event, rendered once for all requests that share the read. */
export function renderEvent(event: GrantedEventRow): Buffer {
  const known = rendered.get(event)
  if (known) return known
  const body = render(presentEvent(event))
  rendered.set(event, body)
  return body
}

/** An Event of the contract. */
export function presentEvent(event: GrantedEventRow) {
  const at = (instant: Date) => atOffset(instant, event.utc_offset_minutes)
  return {
    event_id: event.id,
    title: event.title,
    description: event.description,
    hall_name: event.hall_name,
    venue_name: event.venue_name,
    status: event.status,
    access: event.access,
    event_type: event.event_type,
    age_rating: event.age_rating,
    starts_at: at(event.starts_at),
    ends_at: at(event.ends_at),
    sales_start_at: event.sales_start_at && at(event.sales_start_at),
    venue_id: event.venue_id,
    max_seats_per_booking: event.max_seats_per_booking,
    price_from_tenge: event.price_from_tenge === null ? null : Number(event.price_from_tenge),
    currency: 'KZT',
    hall_plan_url: event.plan_digest && `${platform.appUrl}/plans/${event.plan_digest}.svg`,
    updated_at: at(event.updated_at),
  }
}
