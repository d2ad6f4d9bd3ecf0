import type {
  DeliveryFilters,
  DeliveryLine,
  EndpointLine,
} from '#back_office/webhooks/webhooks_props'
import { PAGE_SIZE, listPage, type ListPage } from '#staff_area/lists'
import { DELIVERY_STATUS, ENDPOINT_HEALTH, IS_RETRYING } from '#back_office/webhooks/shown'
import { statement } from '#shared/statement'
import db from '@adonisjs/lucid/services/db'

export const selectEndpoints = statement<EndpointLine>(
  'back_office_endpoints',
  `SELECT p.code AS partner, p.name AS "partnerName", w.url, w.status, ${ENDPOINT_HEALTH} AS health,
          w.disabled_cause AS "disabledCause", w.last_success_at AS "lastSuccessAt", w.failing_since AS "failingSince",
          w.paused_until AS "pausedUntil", w.succeeded::float8 AS succeeded, w.failed::float8 AS failed,
          (SELECT count(*)::int FROM webhook_deliveries d
            WHERE d.endpoint_id = w.id AND d.status = 'pending' AND d.endpoint_id > 0) AS waiting,
          (SELECT count(*)::int FROM webhook_deliveries d
            WHERE d.endpoint_id = w.id AND d.status IN ('failed', 'held')) AS "setAside"
     FROM webhook_endpoints w JOIN partners p ON p.id = w.partner_id ORDER BY p.name`
)

/** Deliveries, the newest first. */
export async function listDeliveries(
  filters: DeliveryFilters,
  size = PAGE_SIZE
): Promise<ListPage<DeliveryLine>> {
  const query = db
    .from('webhook_deliveries as d')
    .join('webhook_endpoints as w', 'w.id', 'd.endpoint_id')
    .join('partners as p', 'p.id', 'w.partner_id')
    .leftJoin('journal as j', (join) =>
      join.on('j.id', 'd.journal_id').andOn('j.at', 'd.journal_at')
    )
    .leftJoin('events as e', 'e.id', 'j.event_id')
    .select(
      db.raw('d.id::text AS id'),
      'd.webhook_id as webhookId',
      'p.code as partner',
      'p.name as partnerName',
      'j.name as news',
      'd.subject',
      'e.title as event',
      db.raw(`${DELIVERY_STATUS} AS status`),
      'd.attempts',
      'd.created_at as createdAt',
      'd.next_at as nextAt',
      db.raw(
        `(SELECT failure FROM webhook_attempts a WHERE a.delivery_id = d.id ORDER BY attempt DESC LIMIT 1) AS "lastFailure"`
      )
    )
    .orderBy('d.id', 'desc')
    .limit(size + 1)
  if (filters.partner) query.where('p.code', filters.partner)
  if (filters.status) whereStatus(query, filters.status)
  if (filters.news) query.where('j.name', filters.news)
  if (/^\d{1,18}$/.test(filters.before ?? '')) query.where('d.id', '<', filters.before!)
  const rows = (await query) as DeliveryLine[]
  return listPage(rows, ({ id }) => id, filters.before, size)
}

function whereStatus(query: ReturnType<typeof db.from>, status: string) {
  if (status === 'retrying') return query.whereRaw(IS_RETRYING)
  query.where('d.status', status)
  if (status === 'pending') query.whereRaw(`NOT ${IS_RETRYING}`)
}
