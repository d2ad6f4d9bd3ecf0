import type {
  DeliveryFilters,
  DeliveryLine,
  EndpointLine,
} from '#back_office/webhooks/webhooks_props'
import { PAGE_SIZE, listPage, type ListPage } from '#staff_area/lists'
import { DELIVERY_STATUS, ENDPOINT_HEALTH, IS_RETRYING } from '#back_office/webhooks/shown'
import { readRows, statement } from '#shared/statement'

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
  const before = /^\d{1,18}$/.test(filters.before ?? '') ? filters.before : null
  const conditions = [
    filters.partner && 'p.code = :partner',
    filters.status && statusIs(filters.status),
    filters.news && 'j.name = :news',
    before && 'd.id < :before',
  ].filter(Boolean)
  const rows = await readRows<DeliveryLine>(
    `SELECT d.id::text AS id, d.webhook_id AS "webhookId", p.code AS partner, p.name AS "partnerName", j.name AS news, d.subject,
            e.title AS event, ${DELIVERY_STATUS} AS status, d.attempts, d.created_at AS "createdAt", d.next_at AS "nextAt",
            (SELECT failure FROM webhook_attempts a WHERE a.delivery_id = d.id ORDER BY attempt DESC LIMIT 1) AS "lastFailure"
       FROM webhook_deliveries d
       JOIN webhook_endpoints w ON w.id = d.endpoint_id JOIN partners p ON p.id = w.partner_id
       LEFT JOIN journal j ON j.id = d.journal_id AND j.at = d.journal_at
       LEFT JOIN events e ON e.id = j.event_id
      WHERE ${['true', ...conditions].join(' AND ')} ORDER BY d.id DESC LIMIT ${size + 1}`,
    { ...filters, before }
  )
  return listPage(rows, ({ id }) => id, filters.before, size)
}

function statusIs(status: string) {
  if (status === 'retrying') return IS_RETRYING
  return status === 'pending' ? `d.status = :status AND NOT ${IS_RETRYING}` : 'd.status = :status'
}
