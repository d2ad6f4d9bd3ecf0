import type { EventAwareness, PartnerAwareness } from '#back_office/events/events_props'
import { EVENT_NEWS, sqlList } from '#webhooks/partner_news'
import { POSITION_COLUMNS } from '#partners/feed/feed_cursor'
import { statement } from '#shared/statement'

interface Row extends PartnerAwareness {
  newsName: string
  newsAt: string
}

// A grant that is newer than the change counts as its notification.
const selectSeen = statement<Row, { eventId: string }>(
  'back_office_event_seen',
  `WITH news AS MATERIALIZED (
     SELECT id, name, at FROM journal
      WHERE event_id = :eventId AND booking_id IS NULL AND order_id IS NULL
        AND name IN (${sqlList(EVENT_NEWS)})
      ORDER BY id DESC LIMIT 1),
   here AS (SELECT ${POSITION_COLUMNS}),
   seen AS (
     SELECT p.code, p.name, w.id IS NOT NULL AS "hasEndpoint", d.id::text AS "deliveryId", d.status AS "webhookStatus",
            d.ended_at AS "webhookAt", f.read_at AS "readAt", greatest(news.at, g.created_at) AS since,
            coalesce(f.epoch = here.epoch AND pg_visible_in_snapshot(e.change_xid, f.acknowledged), false) AS "isInFeed",
            news.name AS "newsName", news.at AS "newsAt"
       FROM news CROSS JOIN here JOIN event_grants g ON g.event_id = :eventId AND g.access = 'active'
       JOIN events e ON e.id = g.event_id JOIN partners p ON p.id = g.partner_id
       LEFT JOIN feed_reads f ON f.partner_id = p.id
       LEFT JOIN webhook_endpoints w ON w.partner_id = p.id AND w.status = 'active'
       LEFT JOIN webhook_deliveries d ON d.endpoint_id = w.id AND d.journal_id = news.id)
   SELECT *, NOT "isInFeed" AND "webhookStatus" IS DISTINCT FROM 'delivered'
               AND since < now() - interval '5 minutes' AS "isLate"
     FROM seen ORDER BY "isLate" DESC, name`
)

/** Which partners know the newest change of an event. */
export async function whoHasSeen(eventId: string): Promise<EventAwareness> {
  const rows = await selectSeen({ eventId })
  const [first] = rows
  return { news: first ? { name: first.newsName, at: first.newsAt } : null, partners: rows }
}
