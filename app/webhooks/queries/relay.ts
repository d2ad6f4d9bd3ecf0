import { statement } from '#shared/statement'

export interface RelayPosition {
  seen: string
  foreign_until: bigint
  /** False after a dump was restored into another cluster, where transaction ids begin anew. */
  is_at_home: boolean
}

export const lockRelay = statement<RelayPosition>(
  'webhook_relay_lock',
  `SELECT seen, foreign_until, cluster = (SELECT system_identifier FROM pg_control_system()) AS is_at_home
     FROM webhook_relay FOR UPDATE SKIP LOCKED`
)

/** From now on what the journal holds already is told to nobody. */
export const settleHere = statement(
  'webhook_relay_settle_here',
  `UPDATE webhook_relay SET cluster = (SELECT system_identifier FROM pg_control_system()),
          foreign_until = (SELECT coalesce(max(id), 0) FROM journal)`
)

/** Looks on without telling anybody. */
export const passOver = statement(
  'webhook_relay_pass_over',
  'UPDATE webhook_relay SET seen = pg_current_snapshot(), relayed_at = clock_timestamp()'
)

/**
 * Makes deliveries of what was committed since `$1`, after entry `$2`, for the partner that it concerns or for all who have ever had a
 * grant on the event, and notes what this very statement could see: nothing is missed, however late it was committed.
 */
export const relay = statement<{ count: number }>(
  'webhook_relay',
  `WITH news AS MATERIALIZED (
     SELECT id, name, event_id, booking_id, partner_id FROM journal
      WHERE name IN ('booking_expired', 'event_status_changed', 'event_rescheduled', 'event_edited', 'event_prices_set',
                     'event_cancelled', 'grant_given', 'grant_revoked')
        AND id > $2 AND change_xid >= pg_snapshot_xmin($1::pg_snapshot) AND NOT pg_visible_in_snapshot(change_xid, $1::pg_snapshot)),
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
