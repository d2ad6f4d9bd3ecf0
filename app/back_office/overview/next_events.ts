import type { NextEvent } from '#back_office/overview/overview_props'
import { statement } from '#shared/statement'

/** The five events that start next; cancelled ones are left out. */
export const selectNextEvents = statement<NextEvent>(
  'back_office_next_events',
  `SELECT id, title, starts_at AS "startsAt", event_status(stored_status, sales_start_at, starts_at, now()) AS status
     FROM events WHERE starts_at > now() AND stored_status <> 'cancelled' ORDER BY starts_at, id LIMIT 5`
)
