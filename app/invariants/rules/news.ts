import { sqlRules, type SqlRule } from '#invariants/invariant'
import { isNewSince } from '#partners/feed/feed_cursor'
import { PARTNER_NEWS, sqlList } from '#webhooks/partner_news'

/** The relay runs every second; a long transaction may commit its news late. */
const PATIENCE = `interval '5 minutes'`

const NOT_RELAYED: SqlRule = {
  all: `SELECT 'RELAY_BEHIND' AS code, 'the relay' AS label, relayed_at AS at FROM webhook_relay
         UNION ALL
        SELECT 'NEWS_NOT_RELAYED', 'journal ' || j.id, j.at
          FROM webhook_relay r JOIN journal j
            ON j.name IN (${sqlList(PARTNER_NEWS)}) AND j.id > r.foreign_until AND ${isNewSince('r.seen', 'j.change_xid')}`,
  changed: null,
  counterexamples: `SELECT code, 'relay' AS kind, label AS id, label FROM looked WHERE at < :asOf::timestamptz - ${PATIENCE}`,
}

// A change of a transaction to come, as after a restore, is returned to every reader again and again.
const FEED: SqlRule = {
  all: `SELECT 'event' AS kind, id, id AS label, change_xid FROM events
         UNION ALL
        SELECT 'event', g.event_id, p.code, g.change_xid FROM event_grants g JOIN partners p ON p.id = g.partner_id`,
  changed: null,
  counterexamples: `SELECT 'FEED_AHEAD' AS code, kind, id, label FROM looked
                     WHERE change_xid >= pg_snapshot_xmax(pg_current_snapshot())`,
}

export const findUnrelayedNews = sqlRules('news', NOT_RELAYED, FEED)

const DELIVERY =
  'id, endpoint_id, journal_id, subject, status, created_at, ended_at, attempts_before'

/**
 * SQL: those of `deliveries` that were delivered although an earlier one of their subject was waiting, or was delivered later.
 * An earlier one whose `counts` is false is left out.
 */
const outOfOrder = (deliveries: string) => `
  SELECT * FROM (
    SELECT d.*, bool_or(counts AND status = 'pending') OVER earlier AS is_one_pending,
           max(ended_at) FILTER (WHERE counts AND status = 'delivered') OVER earlier AS last_delivered_at
      FROM (${deliveries}) d
    WINDOW earlier AS (PARTITION BY endpoint_id, subject ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)) line
   WHERE status = 'delivered' AND attempts_before = 0 AND (is_one_pending OR last_delivered_at > ended_at)`

/** SQL: whether staff have sent delivery `d` once more. One that was held was never tried before: only the journal shows it. */
const WAS_REPLAYED = `(d.attempts_before > 0 OR EXISTS (
  SELECT 1 FROM replays r
   WHERE r.endpoint_id = d.endpoint_id AND r.journal_id > coalesce(d.journal_id, 0)
     AND r.at > d.created_at AND r.at <= coalesce(d.ended_at, 'infinity')))`

/**
 * Deliveries of one subject to one endpoint go out in the order of their ids. One that staff had sent again is left out.
 *
 *     id   subject   delivered
 *     41   evt_1     12:00:05
 *     42   evt_1     12:00:03      before 41: DELIVERED_OUT_OF_ORDER
 *     43   evt_2     12:00:01      another subject
 *
 * The journal is asked only about endpoints that something looks wrong with, and once.
 */
export const findDeliveriesOutOfOrder = sqlRules('deliveries', {
  all: `SELECT ${DELIVERY} FROM webhook_deliveries`,
  changed: `SELECT ${DELIVERY} FROM webhook_deliveries WHERE created_at >= :since
             UNION
            SELECT ${DELIVERY} FROM webhook_deliveries WHERE status = 'pending'`,
  counterexamples: `
    WITH suspects AS MATERIALIZED (
      SELECT DISTINCT endpoint_id, subject FROM (${outOfOrder('SELECT looked.*, true AS counts FROM looked')}) found),
    replays AS MATERIALIZED (
      SELECT e.id AS endpoint_id, j.id AS journal_id, j.at
        FROM webhook_endpoints e JOIN journal j ON j.partner_id = e.partner_id AND j.name = 'webhooks_replayed'
       WHERE e.id IN (SELECT endpoint_id FROM suspects) AND j.at > (SELECT min(created_at) FROM looked))
    SELECT 'DELIVERED_OUT_OF_ORDER' AS code, 'delivery' AS kind, id::text AS id, subject AS label
      FROM (${outOfOrder(`SELECT d.*, NOT ${WAS_REPLAYED} AS counts FROM looked d JOIN suspects USING (endpoint_id, subject)`)}) found`,
})
