import type { JournalLine, OverviewPage } from '#back_office/overview/overview_props'
import { MIDNIGHT } from '#back_office/partners/midnight'
import { statement } from '#shared/statement'

type Counts = Pick<OverviewPage, 'events' | 'partners' | 'orders'>

const counts = statement<Counts>(
  'back_office_overview',
  `WITH standing AS (
     SELECT event_status(stored_status, sales_start_at, starts_at, now()) AS name FROM events
   ), today AS (
     SELECT order_status_at(now(), stored_status, window_ends_at) AS name, total_tenge
       FROM orders WHERE created_at >= ${MIDNIGHT}
   )
   SELECT
     (SELECT coalesce(json_agg(c), '[]') FROM (SELECT name, count(*) FROM standing GROUP BY name) c) AS events,
     (SELECT coalesce(json_agg(c), '[]') FROM (SELECT status AS name, count(*) FROM partners GROUP BY status) c) AS partners,
     (SELECT coalesce(json_agg(c), '[]')
        FROM (SELECT name, count(*), sum(total_tenge) AS "totalTenge" FROM today GROUP BY name) c) AS orders`
)

export const latestJournal = statement<JournalLine, { lines: number }>(
  'back_office_latest_journal',
  `SELECT j.id::text AS id, j.at, j.name, j.actor_kind AS "actorKind", j.actor,
          p.name AS partner, e.title AS event, j.order_id AS "orderId"
     FROM (SELECT * FROM journal ORDER BY id DESC LIMIT :lines) j
     LEFT JOIN partners p ON p.id = j.partner_id
     LEFT JOIN events e ON e.id = j.event_id
    ORDER BY j.id DESC`
)

export const readOverview = () => counts.one({})
