import { PAGE_SIZE, stretch, type Stretch } from '#back_office/shell/lists'
import { statement } from '#shared/statement'
import db from '@adonisjs/lucid/services/db'

export interface EndpointLine {
  partner: string
  partnerName: string
  url: string
  status: 'active' | 'disabled'
  disabledCause: string | null
  lastSuccessAt: string | null
  failingSince: string | null
  pausedUntil: string | null
  succeeded: number
  failed: number
  waiting: number
  setAside: number
}

export const selectEndpoints = statement<EndpointLine>(
  'back_office_endpoints',
  `SELECT p.code AS partner, p.name AS "partnerName", e.url, e.status, e.disabled_cause AS "disabledCause",
          e.last_success_at AS "lastSuccessAt", e.failing_since AS "failingSince", e.paused_until AS "pausedUntil",
          e.succeeded::float8 AS succeeded, e.failed::float8 AS failed,
          (SELECT count(*)::int FROM webhook_deliveries d
            WHERE d.endpoint_id = e.id AND d.status = 'pending' AND d.endpoint_id > 0) AS waiting,
          (SELECT count(*)::int FROM webhook_deliveries d
            WHERE d.endpoint_id = e.id AND d.status IN ('failed', 'held')) AS "setAside"
     FROM webhook_endpoints e JOIN partners p ON p.id = e.partner_id ORDER BY p.name`
)

export const DELIVERY_FILTERS = ['partner', 'status', 'news', 'before'] as const
export type DeliveryFilters = Record<(typeof DELIVERY_FILTERS)[number], string | null>

export interface DeliveryLine {
  id: string
  webhookId: string
  partner: string
  partnerName: string
  news: string | null
  subject: string
  status: 'pending' | 'delivered' | 'failed' | 'held'
  attempts: number
  createdAt: string
  nextAt: string
  lastFailure: string | null
}

/** Deliveries, the newest first. */
export async function listDeliveries(
  filters: DeliveryFilters,
  size = PAGE_SIZE
): Promise<Stretch<DeliveryLine>> {
  const query = db
    .from('webhook_deliveries as d')
    .join('webhook_endpoints as e', 'e.id', 'd.endpoint_id')
    .join('partners as p', 'p.id', 'e.partner_id')
    .leftJoin('journal as j', 'j.id', 'd.journal_id')
    .select(
      ...[db.raw('d.id::text AS id'), 'd.webhook_id as webhookId', 'p.code as partner'],
      ...['p.name as partnerName', 'j.name as news', 'd.subject', 'd.status', 'd.attempts'],
      ...['d.created_at as createdAt', 'd.next_at as nextAt'],
      db.raw(
        `(SELECT failure FROM webhook_attempts a WHERE a.delivery_id = d.id ORDER BY attempt DESC LIMIT 1) AS "lastFailure"`
      )
    )
    .orderBy('d.id', 'desc')
    .limit(size + 1)
  if (filters.partner) query.where('p.code', filters.partner)
  if (filters.status) query.where('d.status', filters.status)
  if (filters.news) query.where('j.name', filters.news)
  if (/^\d{1,18}$/.test(filters.before ?? '')) query.where('d.id', '<', filters.before!)
  const rows = (await query) as DeliveryLine[]
  return stretch(rows, ({ id }) => id, filters.before, size)
}
