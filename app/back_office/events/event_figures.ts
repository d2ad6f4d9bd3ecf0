import type { EventFigures } from '#back_office/events/events_props'
import { statement } from '#shared/statement'

const selectFigures = statement<EventFigures, { eventIds: string[] }>(
  'back_office_event_figures',
  `SELECT e.id, seats.*, money."soldTenge"
     FROM unnest(:eventIds::text[]) AS e (id),
          LATERAL (SELECT count(*)::int AS total,
                          (count(*) FILTER (WHERE s.state = 'sold'))::int AS sold,
                          (count(*) FILTER (WHERE s.state = 'blocked'))::int AS blocked,
                          (count(*) FILTER (WHERE seat_status(s.state, s.hold_until, now()) = 'free'))::int AS free
                     FROM event_seats s WHERE s.event_id = e.id) seats,
          LATERAL (SELECT coalesce(sum(t.price_tenge), 0)::float8 AS "soldTenge"
                     FROM orders o JOIN tickets t ON t.order_id = o.id
                    WHERE o.event_id = e.id AND t.status <> 'void') money`
)

/** Counts every seat and ticket of these events; deferred, and only for one page. */
export async function readFigures(eventIds: string[]): Promise<Record<string, EventFigures>> {
  const figures = await selectFigures({ eventIds })
  return Object.fromEntries(figures.map((one) => [one.id, one]))
}
