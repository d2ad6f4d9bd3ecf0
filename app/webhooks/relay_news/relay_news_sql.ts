import { PARTNER_NEWS, sqlList } from '#webhooks/partner_news'
import { IS_RESTORED, WAS_RESTORED } from '#partners/feed/epoch'
import { statement } from '#shared/statement'

export interface RelayPosition {
  seen: string
  foreign_until: bigint
  /** The transaction ids in `seen` and in the entries are those of the database that the dump was taken from. */
  is_restored: boolean
}

const NEWS = sqlList(PARTNER_NEWS)

export const lockRelay = statement<RelayPosition>(
  'webhook_relay_lock',
  `SELECT seen, foreign_until, ${IS_RESTORED} AS is_restored FROM webhook_relay FOR UPDATE SKIP LOCKED`
)

/** The last entry that a dump brought. */
export const lastRestored = statement<{ id: bigint }>(
  'webhook_relay_last_restored',
  `SELECT coalesce(max(id), 0) AS id FROM journal WHERE name IN (${NEWS}) AND ${WAS_RESTORED}`
)

/** From now on the entries up to `$1` are relayed no more. */
export const settleHere = statement<object, { id: bigint }>(
  'webhook_relay_settle_here',
  `WITH marked AS (UPDATE restore_mark SET made_in = pg_current_xact_id())
   UPDATE webhook_relay SET foreign_until = :id`
)

/** Moves on without relaying anything. */
export const passOver = statement(
  'webhook_relay_pass_over',
  'UPDATE webhook_relay SET seen = pg_current_snapshot(), relayed_at = clock_timestamp()'
)

/** Makes deliveries of entries, each for the partner that it concerns or for all who have ever had a grant on the event. */
const deliver = (which: string) =>
  `WITH news AS MATERIALIZED (
     SELECT id, name, event_id, booking_id, partner_id FROM journal WHERE name IN (${NEWS}) AND ${which}),
   made AS (
     INSERT INTO webhook_deliveries (endpoint_id, journal_id, subject, status)
     SELECT e.id, news.id, coalesce(news.booking_id, news.event_id),
            CASE e.status WHEN 'active' THEN 'pending' ELSE 'held' END
       FROM news, LATERAL (
            SELECT id, status FROM webhook_endpoints WHERE partner_id = news.partner_id
            UNION ALL
            SELECT own.id, own.status FROM event_grants g JOIN webhook_endpoints own USING (partner_id)
             WHERE news.partner_id IS NULL AND g.event_id = news.event_id) e
      ORDER BY news.id
     ON CONFLICT (endpoint_id, journal_id) DO NOTHING
     RETURNING 1),
   noted AS (UPDATE webhook_relay SET seen = pg_current_snapshot(), relayed_at = clock_timestamp())
   SELECT count(*)::int FROM made`

/**
 * Relays what was committed since `$1`, after entry `$2`, and notes what this very statement could see: nothing is missed,
 * however late it was committed.
 */
export const relay = statement<{ count: number }, { seen: string; foreignUntil: bigint }>(
  'webhook_relay',
  deliver(
    'id > :foreignUntil AND change_xid >= pg_snapshot_xmin(:seen::pg_snapshot) AND NOT pg_visible_in_snapshot(change_xid, :seen::pg_snapshot)'
  )
)

/** Relays all entries after `$1`. */
export const relayAfter = statement<{ count: number }, { id: bigint }>(
  'webhook_relay_after',
  deliver('id > :id')
)

/** The endpoints for which something is due now, and which no round has in hand. */
export const selectDueEndpoints = statement<{ id: number }>(
  'webhook_due_endpoints',
  `SELECT e.id FROM webhook_endpoints e
    WHERE e.status = 'active' AND (e.paused_until IS NULL OR e.paused_until <= clock_timestamp())
      AND (e.round_until IS NULL OR e.round_until <= clock_timestamp())
      AND EXISTS (SELECT 1 FROM webhook_deliveries d
                   WHERE d.endpoint_id = e.id AND d.status = 'pending' AND d.endpoint_id > 0 AND d.next_at <= now()
                     AND (d.locked_until IS NULL OR d.locked_until <= now()))`
)
