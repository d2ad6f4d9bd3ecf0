import type {
  PartnerEndpoint,
  PartnerFacts,
  PartnerGrant,
  PartnerKey,
  PartnerUsage,
  UnderWay,
} from '#back_office/partners/partners_props'
import { ENDPOINT_HEALTH } from '#back_office/webhooks/shown'
import { MIDNIGHT } from '#back_office/partners/midnight'
import { IS_SILENT } from '#back_office/partners/silence'
import { PARTNER_VERSION } from '#partners/actions/change_partner'
import { statement } from '#shared/statement'

const selectPartner = statement<PartnerFacts, { code: string }>(
  'back_office_partner',
  `SELECT p.id, p.code, p.name, p.status, p.created_at AS "createdAt", ${PARTNER_VERSION} AS version,
          p.requests_per_minute AS "requestsPerMinute", p.requests_in_flight AS "requestsInFlight",
          p.pending_orders AS "pendingOrders", p.hold_seconds AS "holdSeconds",
          p.payment_window_seconds AS "paymentWindowSeconds", p.allowed_addresses AS "allowedAddresses",
          f.read_at AS "polledAt", ${IS_SILENT} AS "isSilent"
     FROM partners p LEFT JOIN feed_reads f ON f.partner_id = p.id WHERE p.code = :code`
)

/** The partner's own row; undefined when there is no such code. */
export const findPartnerFacts = (code: string) => selectPartner.first({ code })

export const readKeys = statement<PartnerKey, { partnerId: number }>(
  'back_office_partner_keys',
  `SELECT api_key AS "apiKey", created_at AS "createdAt", expires_at AS "expiresAt", revoked_at AS "revokedAt",
          CASE WHEN revoked_at IS NOT NULL THEN 'revoked' WHEN expires_at <= now() THEN 'expired'
               WHEN expires_at IS NOT NULL THEN 'ending' ELSE 'active' END AS state
     FROM partner_keys WHERE partner_id = :partnerId ORDER BY created_at DESC, api_key`
)

export const readEndpoint = statement<PartnerEndpoint, { partnerId: number }>(
  'back_office_partner_endpoint',
  `SELECT url, status, disabled_cause AS "disabledCause", last_success_at AS "lastSuccessAt", failing_since AS "failingSince",
          ${ENDPOINT_HEALTH} AS health
     FROM webhook_endpoints w WHERE partner_id = :partnerId`
)

/** Open business of the partner, for the consequences of a suspension. */
export const readUnderWay = statement<UnderWay, { partnerId: number }>(
  'back_office_partner_under_way',
  `SELECT pending.orders, pending.ends AS "lastWindowEndsAt",
          (SELECT count(*)::int FROM bookings
            WHERE stored_status = 'active' AND expires_at > now() AND partner_id = :partnerId) AS bookings,
          (SELECT count(*)::int FROM event_grants WHERE partner_id = :partnerId AND access = 'active') AS grants
     FROM (SELECT count(*)::int AS orders, max(window_ends_at) AS ends FROM orders
            WHERE partner_id = :partnerId AND stored_status = 'pending' AND window_ends_at > now()) pending`
)

const MOST_GRANTS = 10

export const readGrants = statement<PartnerGrant, { partnerId: number }>(
  'back_office_partner_grants',
  `SELECT e.id, e.title, e.starts_at AS "startsAt", g.access,
          event_status(e.stored_status, e.sales_start_at, e.starts_at, now()) AS status
     FROM event_grants g JOIN events e ON e.id = g.event_id
    WHERE g.partner_id = :partnerId AND e.ends_at > now() ORDER BY e.starts_at, e.id LIMIT ${MOST_GRANTS}`
)

/** The partner's orders of today by status. */
export const readUsage = statement<PartnerUsage, { partnerId: number }>(
  'back_office_partner_usage',
  `WITH today AS MATERIALIZED (
     SELECT partner_id, stored_status, window_ends_at, total_tenge FROM orders WHERE created_at >= ${MIDNIGHT})
   SELECT order_status_at(now(), stored_status, window_ends_at) AS name,
          count(*)::int AS count, sum(total_tenge)::float8 AS "totalTenge"
     FROM today WHERE partner_id = :partnerId GROUP BY 1 ORDER BY 2 DESC`
)
