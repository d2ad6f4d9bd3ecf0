import { EVENT_COLUMNS, EVENT_PLACE, type GrantedEventRow } from '#partners/queries/event_columns'
import { CURSOR_COLUMNS, type CursorRow } from '#partners/feed_cursor'
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

type Row = CursorRow & { total: bigint } & Partial<GrantedEventRow>

const OPEN_NOW = `g.partner_id = $1 AND g.access = 'active'
  AND event_status(e.stored_status, e.sales_start_at, e.starts_at, now())
      IN ('sales_scheduled', 'sales_open', 'sales_paused')
  AND ($2::date IS NULL OR (e.starts_at AT TIME ZONE 'UTC' + make_interval(mins => v.utc_offset_minutes))::date >= $2::date)
  AND ($3::date IS NULL OR (e.starts_at AT TIME ZONE 'UTC' + make_interval(mins => v.utc_offset_minutes))::date <= $3::date)
  AND ($4::text IS NULL OR e.venue_id = $4)
  AND ($5::text IS NULL OR e.event_type = $5)`

// One statement, hence one snapshot: the cursor can't be newer than the rows it comes with.
const selectPage = statement<Row>(
  'granted_events',
  `WITH here AS (SELECT ${CURSOR_COLUMNS}),
   matching AS MATERIALIZED (
     SELECT ${EVENT_COLUMNS}
       FROM event_grants g JOIN events e ON e.id = g.event_id ${EVENT_PLACE}
      WHERE ${OPEN_NOW}),
   page AS (SELECT * FROM matching ORDER BY starts_at, id LIMIT $6 OFFSET $7)
   SELECT here.*, (SELECT count(*) FROM matching) AS total, page.*
     FROM here LEFT JOIN page ON true ORDER BY page.starts_at, page.id`
)

/** Events on sale or soon to be, with a grant (contract, GET /events without `updated_since`). */
export async function listGrantedEvents(filter: EventFilter) {
  const { partnerId, dateFrom, dateTo, venueId, eventType, limit, offset } = filter
  const rows = await selectPage([partnerId, dateFrom, dateTo, venueId, eventType, limit, offset])
  const events = rows.filter((row) => row.id !== null) as GrantedEventRow[]
  return { events, total: Number(rows[0].total), position: rows[0] as CursorRow }
}
