import type { HallLine } from '#back_office/halls/halls_props'
import type { LocalizedText } from '#shared/localized_text'
import { statement } from '#shared/statement'

/** Every hall, the newest first: there are dozens, not more. */
export const listHalls = statement<HallLine>(
  'back_office_halls',
  `SELECT h.id, h.name, v.name AS venue, h.plan_digest AS "planDigest", h.created_at AS "createdAt",
          (SELECT count(*)::int FROM sectors WHERE hall_id = h.id) AS sectors,
          (SELECT count(*)::int FROM hall_seats WHERE hall_id = h.id) AS seats,
          coalesce(held.events, 0) AS events
     FROM halls h JOIN venues v ON v.id = h.venue_id
     LEFT JOIN (SELECT hall_id, count(*)::int AS events FROM events GROUP BY hall_id) held ON held.hall_id = h.id
    ORDER BY h.id DESC`
)

export const venueChoices = statement<{ id: string; name: LocalizedText }>(
  'back_office_venue_choices',
  `SELECT id, name FROM venues ORDER BY name ->> 'ru', id`
)
