import { isNewSince, POSITION_COLUMNS, type FeedPosition } from '#partners/feed/feed_cursor'
import { EVENT_COLUMNS, EVENT_PLACE, type GrantedEventRow } from '#partners/granted_event'
import { statement } from '#shared/statement'

type Row = FeedPosition & Partial<GrantedEventRow>

// A cursor of another epoch, or of a later state than ours, is answered with every event: never with a gap.
const selectChanges = statement<
  Row,
  { partnerId: number; epoch: string; snapshot: string; readAt: string }
>(
  'changed_events',
  `WITH here AS (SELECT ${POSITION_COLUMNS}),
   since AS (
     SELECT CASE WHEN here.epoch = :epoch THEN :snapshot::pg_snapshot END AS snapshot, :readAt::timestamptz AS read_at
       FROM here),
   recorded AS (
     INSERT INTO feed_reads (partner_id, read_at, acknowledged, epoch, cursor_at)
     VALUES (:partnerId, now(), :snapshot::pg_snapshot, :epoch, :readAt::timestamptz)
     ON CONFLICT (partner_id) DO UPDATE
       SET read_at = excluded.read_at, acknowledged = excluded.acknowledged, epoch = excluded.epoch,
           cursor_at = excluded.cursor_at),
   gap AS (
     INSERT INTO feed_gaps (partner_id, from_at, to_at)
     SELECT partner_id, read_at, now() FROM feed_reads WHERE partner_id = :partnerId AND read_at < now() - interval '5 minutes'
     ON CONFLICT DO NOTHING),
   changed AS (
     SELECT ${EVENT_COLUMNS}
       FROM since, event_grants g JOIN events e ON e.id = g.event_id ${EVENT_PLACE}
      WHERE g.partner_id = :partnerId
        AND (since.snapshot IS NULL
             OR pg_snapshot_xmax(since.snapshot) > pg_snapshot_xmax(pg_current_snapshot())
             OR ${isNewSince('since.snapshot', 'e.change_xid')} OR ${isNewSince('since.snapshot', 'g.change_xid')}
             OR (e.stored_status = 'sales_scheduled' AND e.sales_start_at > since.read_at AND e.sales_start_at <= now())
             OR (e.starts_at > since.read_at AND e.starts_at <= now())))
   SELECT here.snapshot, here.epoch, here.read_at, changed.*
     FROM here LEFT JOIN changed ON true ORDER BY changed.updated_at, changed.id`
)

/**
 * Every granted event that changed since the cursor, in its newest state, including revoked and cancelled ones
 * (contract, Events). Records the cursor, which proves what the partner has seen, and a gap of more than five minutes
 * since its last read.
 */
export async function readFeed(partnerId: number, since: FeedPosition) {
  const rows = await selectChanges({
    partnerId,
    epoch: since.epoch,
    snapshot: since.snapshot,
    readAt: since.read_at,
  })
  const events = rows.filter((row) => row.id !== null) as GrantedEventRow[]
  return { events, position: rows[0] as FeedPosition }
}
