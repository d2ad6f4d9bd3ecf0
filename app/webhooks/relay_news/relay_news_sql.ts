import { PARTNER_NEWS, sqlList } from '#webhooks/partner_news'
import { IS_RESTORED, WAS_RESTORED } from '#partners/feed/epoch'
import { isNewSince } from '#partners/feed/feed_cursor'
import { statement } from '#shared/statement'

export interface RelayPosition {
  /** The snapshot of the last relay. */
  seen: string
  /** Up to this entry the journal came from a dump; those entries are not relayed again. */
  foreign_until: bigint
  /** Whether `seen` and the entries still carry transaction ids of the database that was dumped. */
  is_restored: boolean
}

const NEWS = sqlList(PARTNER_NEWS)

export const lockRelay = statement<RelayPosition>(
  'webhook_relay_lock',
  `SELECT seen, foreign_until, ${IS_RESTORED} AS is_restored FROM webhook_relay FOR UPDATE SKIP LOCKED`
)

/** The last entry that came from a dump. */
export const findLastRestoredEntry = statement<{ id: bigint }>(
  'webhook_relay_last_restored',
  `SELECT coalesce(max(id), 0) AS id FROM journal WHERE name IN (${NEWS}) AND ${WAS_RESTORED}`
)

/** Records that the restore was handled: entries up to `:id` are not relayed again. */
export const recordRestore = statement<object, { id: bigint }>(
  'webhook_relay_settle_here',
  `WITH marked AS (UPDATE restore_mark SET made_in = pg_current_xact_id())
   UPDATE webhook_relay SET foreign_until = :id`
)

/** Moves the position on without relaying anything. */
export const skipNews = statement(
  'webhook_relay_pass_over',
  'UPDATE webhook_relay SET seen = pg_current_snapshot(), relayed_at = clock_timestamp()'
)

/**
 * Makes a delivery of each entry, for the partner that it concerns or for all partners that ever had a grant on its event,
 * and moves the position to the snapshot of this very statement.
 */
const relayEntries = (condition: string) =>
  `WITH news AS MATERIALIZED (
     SELECT id, at, name, event_id, booking_id, partner_id FROM journal WHERE name IN (${NEWS}) AND ${condition}),
   made AS (
     INSERT INTO webhook_deliveries (endpoint_id, journal_id, journal_at, subject, status)
     SELECT e.id, news.id, news.at, coalesce(news.booking_id, news.event_id),
            CASE e.status WHEN 'active' THEN 'pending' ELSE 'held' END
       FROM news, LATERAL (
            SELECT id, status FROM webhook_endpoints WHERE partner_id = news.partner_id
            UNION ALL
            SELECT own.id, own.status FROM event_grants g JOIN webhook_endpoints own USING (partner_id)
             WHERE news.partner_id IS NULL AND g.event_id = news.event_id) e
      ORDER BY news.id
     ON CONFLICT (endpoint_id, journal_id) DO NOTHING
     RETURNING 1),
   moved AS (UPDATE webhook_relay SET seen = pg_current_snapshot(), relayed_at = clock_timestamp())
   SELECT count(*)::int FROM made`

/** Relays the entries after `:foreignUntil` that the snapshot `:seen` did not contain. */
export const relaySince = statement<{ count: number }, { seen: string; foreignUntil: bigint }>(
  'webhook_relay',
  relayEntries(`id > :foreignUntil AND ${isNewSince(':seen::pg_snapshot', 'change_xid')}`)
)

/** Relays all entries after the entry `:id`. */
export const relayAfter = statement<{ count: number }, { id: bigint }>(
  'webhook_relay_after',
  relayEntries('id > :id')
)

/** The endpoints that have something due now and that no round is sending to. */
export const listDueEndpoints = statement<{ id: number }>(
  'webhook_due_endpoints',
  `SELECT e.id FROM webhook_endpoints e
    WHERE e.status = 'active' AND (e.paused_until IS NULL OR e.paused_until <= clock_timestamp())
      AND (e.round_until IS NULL OR e.round_until <= clock_timestamp())
      AND EXISTS (SELECT 1 FROM webhook_deliveries d
                   WHERE d.endpoint_id = e.id AND d.status = 'pending' AND d.endpoint_id > 0 AND d.next_at <= now()
                     AND (d.locked_until IS NULL OR d.locked_until <= now()))`
)
