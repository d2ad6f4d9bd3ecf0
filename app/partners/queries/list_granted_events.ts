import { EVENT_COLUMNS, EVENT_PLACE, type GrantedEventRow } from '#partners/granted_event'
import { POSITION_COLUMNS, type FeedPosition } from '#partners/feed/feed_cursor'
import { statement } from '#shared/statement'

export interface EventFilter {
  partnerId: number
  /** Local dates of the venue, `YYYY-MM-DD`, the end inclusive. */
  dateFrom: string | null
  dateTo: string | null
  venueId: string | null
  eventType: string | null
  limit: number
  offset: number
}

type Row = FeedPosition & { total: bigint } & Partial<GrantedEventRow>

const OPEN_NOW = `g.partner_id = :partnerId AND g.access = 'active'
  AND event_status(e.stored_status, e.sales_start_at, e.starts_at, now())
      IN ('sales_scheduled', 'sales_open', 'sales_paused')
  AND (:dateFrom::date IS NULL OR (e.starts_at AT TIME ZONE 'UTC' + make_interval(mins => v.utc_offset_minutes))::date >= :dateFrom::date)
  AND (:dateTo::date IS NULL OR (e.starts_at AT TIME ZONE 'UTC' + make_interval(mins => v.utc_offset_minutes))::date <= :dateTo::date)
  AND (:venueId::text IS NULL OR e.venue_id = :venueId)
  AND (:eventType::text IS NULL OR e.event_type = :eventType)`

// One statement has one snapshot: the cursor can't be newer than the rows.
const selectPage = statement<Row, EventFilter>(
  'granted_events',
  `WITH here AS (SELECT ${POSITION_COLUMNS}),
   matching AS MATERIALIZED (
     SELECT ${EVENT_COLUMNS}
       FROM event_grants g JOIN events e ON e.id = g.event_id ${EVENT_PLACE}
      WHERE ${OPEN_NOW}),
   page AS (SELECT * FROM matching ORDER BY starts_at, id LIMIT :limit OFFSET :offset)
   SELECT here.*, (SELECT count(*) FROM matching) AS total, page.*
     FROM here LEFT JOIN page ON true ORDER BY page.starts_at, page.id`
)

/** Granted events that are on sale, paused or scheduled (contract, GET /events without `updated_since`). */
export async function listGrantedEvents(filter: EventFilter) {
  const rows = await selectPage(filter)
  const events = rows.filter((row) => row.id !== null) as GrantedEventRow[]
  return { events, total: Number(rows[0].total), position: rows[0] as FeedPosition }
}
