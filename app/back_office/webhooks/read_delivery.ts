import type {
  DeliveryAttempt,
  DeliveryFacts,
  DeliveryPage,
} from '#back_office/webhooks/webhooks_props'
import { DELIVERY_STATUS } from '#back_office/webhooks/shown'
import { composeNotice, type News } from '#webhooks/deliver_webhooks/compose_notice'
import { statement } from '#shared/statement'

const selectDelivery = statement<DeliveryFacts & News, { id: string }>(
  'back_office_delivery',
  `SELECT d.id::text AS id, d.webhook_id AS "webhookId", d.webhook_id, p.code AS partner, p.name AS "partnerName", w.url,
          d.subject, ${DELIVERY_STATUS} AS status, d.attempts AS "attemptsMade", d.created_at AS "createdAt", d.next_at AS "nextAt",
          d.ended_at AS "endedAt", j.name, j.change, j.event_id, j.booking_id, e.title AS event, e.cancelled_at,
          v.utc_offset_minutes,
          CASE d.status WHEN 'pending' THEN
            (SELECT first.id::text FROM webhook_deliveries first
              WHERE first.endpoint_id = d.endpoint_id AND first.subject = d.subject AND first.status = 'pending'
                AND first.id < d.id ORDER BY first.id LIMIT 1) END AS "waitsFor"
     FROM webhook_deliveries d JOIN webhook_endpoints w ON w.id = d.endpoint_id JOIN partners p ON p.id = w.partner_id
     LEFT JOIN journal j ON j.id = d.journal_id AND j.at = d.journal_at LEFT JOIN events e ON e.id = j.event_id
     LEFT JOIN venues v ON v.id = e.venue_id
    WHERE d.id = :id`
)
const selectAttempts = statement<DeliveryAttempt, { id: string }>(
  'back_office_attempts',
  `SELECT attempt, started_at AS "startedAt", duration_ms AS "durationMs", http_status AS "httpStatus", failure, response
     FROM webhook_attempts WHERE delivery_id = :id ORDER BY attempt DESC`
)

const MOST_DIGITS = 18

/** One delivery with its attempts; undefined when there is no such delivery. */
export async function readDelivery(id: string): Promise<DeliveryPage | undefined> {
  if (!/^\d+$/.test(id) || id.length > MOST_DIGITS) return undefined
  const [delivery, attempts] = await Promise.all([
    selectDelivery.first({ id }),
    selectAttempts({ id }),
  ])
  return delivery && { delivery, attempts, body: bodyOf(delivery) }
}

function bodyOf(news: News): string | null {
  try {
    return composeNotice(news).body
  } catch {
    return null
  }
}
