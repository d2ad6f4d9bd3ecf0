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

/** SQL: whether staff have sent delivery `d` once more. One that was held was never tried before: only the journal shows it. */
const WAS_REPLAYED = `(d.attempts_before > 0 OR EXISTS (
  SELECT 1 FROM webhook_endpoints e JOIN journal j ON j.partner_id = e.partner_id AND j.id > coalesce(d.journal_id, 0)
   WHERE e.id = d.endpoint_id AND j.name = 'webhooks_replayed'
     AND j.at > d.created_at AND j.at <= coalesce(d.ended_at, 'infinity')))`

/**
 * Deliveries of one subject to one endpoint go out in the order of their ids. One that staff had sent again is left out.
 *
 *     id   subject   delivered
 *     41   evt_1     12:00:05
 *     42   evt_1     12:00:03      before 41: DELIVERED_OUT_OF_ORDER
 *     43   evt_2     12:00:01      another subject
 */
export const findDeliveriesOutOfOrder = sqlRules('deliveries', {
  all: `SELECT ${DELIVERY} FROM webhook_deliveries`,
  changed: `SELECT ${DELIVERY} FROM webhook_deliveries WHERE created_at >= :since
             UNION
            SELECT ${DELIVERY} FROM webhook_deliveries WHERE status = 'pending'`,
  counterexamples: `
    SELECT DISTINCT 'DELIVERED_OUT_OF_ORDER' AS code, 'delivery' AS kind, later.id::text AS id, later.subject AS label
      FROM looked later JOIN looked d ON d.endpoint_id = later.endpoint_id AND d.subject = later.subject AND d.id < later.id
     WHERE later.status = 'delivered' AND later.attempts_before = 0
       AND (d.status = 'pending' OR (d.status = 'delivered' AND d.ended_at > later.ended_at))
       AND NOT ${WAS_REPLAYED}`,
})
