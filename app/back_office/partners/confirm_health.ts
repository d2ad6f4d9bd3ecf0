import type { ConfirmHealth } from '#back_office/partners/partners_props'
import { oneOrder } from '#sales/queries/one_order'
import { statement } from '#shared/statement'

/** Only the newest confirms are counted. */
export const MOST_CONFIRMS = 10_000
const MOST_REFUSED = 20
const CLOCK_SAMPLES = 200
const NEAR_SECONDS = 30

// The first accepted confirm of an order paid it; later ones are repeats.
const selectHealth = statement<ConfirmHealth, { partnerId: number }>(
  'back_office_confirm_health',
  `WITH recent AS MATERIALIZED (
     SELECT order_id_sent, request_id, received_at, timestamp_sent, signature_valid, http_status, code
       FROM confirm_attempts WHERE partner_id = :partnerId AND received_at > now() - interval '7 days'
      ORDER BY received_at DESC LIMIT ${MOST_CONFIRMS}),
   paid AS MATERIALIZED (
     SELECT order_id_sent, min(received_at) AS at FROM recent WHERE http_status = 200 GROUP BY order_id_sent),
   timed AS MATERIALIZED (
     SELECT extract(epoch FROM paid.at - o.created_at)::float8 AS took,
            extract(epoch FROM o.window_ends_at - paid.at)::float8 AS seconds_left
       FROM paid JOIN ${oneOrder('paid.order_id_sent')} ON o.partner_id = :partnerId
      WHERE paid.at < o.window_ends_at),
   clock AS (
     SELECT timestamp_sent::float8 - extract(epoch FROM received_at)::float8 AS ahead
       FROM recent WHERE signature_valid AND timestamp_sent ~ '^[0-9]{10}$' ORDER BY received_at DESC LIMIT ${CLOCK_SAMPLES}),
   refused AS (
     SELECT r.received_at AS at, r.order_id_sent AS "orderId", o.id IS NOT NULL AS "isKnown", r.code,
            r.http_status AS "httpStatus", r.request_id AS "requestId"
       FROM (SELECT * FROM recent WHERE http_status >= 400 ORDER BY received_at DESC LIMIT ${MOST_REFUSED}) r
       LEFT JOIN ${oneOrder('r.order_id_sent')} ON o.partner_id = :partnerId)
   SELECT (SELECT count(*)::int FROM recent) AS confirms, (SELECT count(*) >= ${MOST_CONFIRMS} FROM recent) AS "isCut",
          count(*)::int AS accepted, percentile_cont(0.5) WITHIN GROUP (ORDER BY took) AS half,
          percentile_cont(0.95) WITHIN GROUP (ORDER BY took) AS most,
          (count(*) FILTER (WHERE seconds_left <= ${NEAR_SECONDS}))::int AS near,
          (SELECT count(DISTINCT order_id_sent)::int FROM recent WHERE code = 'ORDER_EXPIRED') AS late,
          (SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY ahead) FROM clock) AS "clockOffset",
          (SELECT count(*)::int FROM clock) AS "clockSamples",
          (SELECT coalesce(json_agg(refused ORDER BY at DESC), '[]') FROM refused) AS refused
     FROM timed`
)

/** How a partner has confirmed in the last seven days, from its confirm attempts. */
export const readConfirmHealth = (partnerId: number) => selectHealth.one({ partnerId })
