import type { ConfirmEvidence, OurOrder } from '#reconciliation/matching/match_case'
import type { PartnerRegister } from '#reconciliation/store/find_register'
import { orderStatus } from '#sales/order_status'
import { streamRows } from '#shared/stream_rows'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

type Scope = Pick<PartnerRegister, 'id' | 'partnerId' | 'from' | 'to'>

/** Orders this long before and after the period are read: clocks and posting dates differ. */
const EDGE = `interval '1 day'`

const VOIDED = `kind IN ('refund', 'event_cancel', 'platform_void') AND effective_at >= :from AND effective_at < :to`

/** SQL: which statement the sale of order `o` is in, seen from a register's days. */
export const statementPeriod = (from: string, to: string) =>
  `CASE WHEN s.period_to <= ${from} THEN 'earlier' WHEN s.period_from >= ${to} THEN 'later'
        WHEN s.period_from >= ${from} AND s.period_to <= ${to} THEN 'this' END`
export const isInPeriod = (from: string, to: string) =>
  `(coalesce(o.confirmed_at, o.created_at) >= ${from} AND coalesce(o.confirmed_at, o.created_at) < ${to})`
export const SALE_IN_STATEMENT = `LEFT JOIN ledger_movements m ON m.source = o.id AND m.kind = 'sale'
    LEFT JOIN settlement_statements s ON s.id = m.statement_id`

/**
 * Orders made in the period or a day around it, in any status, and those of any time that the register names or that had voids
 * in it. Refunds after the period do not count. A statement that reaches beyond the register's days does not decide to which
 * period an order belongs: the moment of the sale does.
 */
const ORDERS = `
  WITH named AS (
    SELECT o.id FROM (SELECT DISTINCT order_key AS key FROM partner_register_rows WHERE register_id = :registerId) r
      JOIN orders o ON o.partner_id = :partnerId AND o.partner_order_id = r.key
    UNION
    SELECT o.id FROM (SELECT order_key AS key FROM partner_register_rows WHERE register_id = :registerId
                      UNION SELECT order_id FROM partner_register_rows WHERE register_id = :registerId) r
      JOIN orders o ON o.id = r.key AND o.partner_id = :partnerId
    UNION
    SELECT o.id FROM (SELECT order_id AS key FROM partner_register_rows WHERE register_id = :registerId) r
      JOIN orders o ON o.partner_id = :partnerId AND o.partner_order_id = r.key
    UNION
    SELECT o.id FROM (SELECT DISTINCT payment_id AS key FROM partner_register_rows WHERE register_id = :registerId) r
      JOIN orders o ON o.payment_external_id = r.key AND o.partner_id = :partnerId
    UNION
    SELECT order_id FROM ledger_movements WHERE partner_id = :partnerId AND statement_id IS NULL AND ${VOIDED}
    UNION
    SELECT m.order_id FROM settlement_statements s JOIN ledger_movements m ON m.statement_id = s.id
     WHERE s.partner_id = :partnerId AND s.period_to > :from AND ${VOIDED}
    UNION
    SELECT id FROM orders
     WHERE created_at >= :from::timestamptz - ${EDGE} AND created_at < :to::timestamptz + ${EDGE} AND partner_id = :partnerId),
  priced AS (
    SELECT order_id, sum(price_tenge) FILTER (WHERE is_void)::bigint AS tenge,
           sum(price_tenge) FILTER (WHERE is_void AND voided_at >= :from)::bigint AS in_period,
           min(price_tenge)::bigint AS least, max(price_tenge)::bigint AS highest
      FROM (SELECT t.*, t.status = 'void' AND t.voided_at < :to AS is_void FROM named JOIN tickets t ON t.order_id = named.id) own
     GROUP BY order_id)
  SELECT o.id AS "orderId", o.partner_order_id AS "partnerOrderId", o.payment_external_id AS "externalPaymentId",
         o.total_tenge AS "totalTenge", coalesce(v.tenge, 0) AS "refundedTenge",
         coalesce(v.in_period, 0) AS "refundedInPeriodTenge", v.least AS "leastPriceTenge", v.highest AS "highestPriceTenge",
         ${orderStatus('now()')} AS status,
         o.created_at AS "createdAt", o.payment_paid_at AS "paidAt", o.confirmed_at AS "confirmedAt",
         md5(lower(o.customer ->> 'email')) AS "emailHash", o.event_id AS "eventId",
         ${statementPeriod(':from', ':to')} AS "statementPeriod", ${isInPeriod(':from', ':to')} AS "isInPeriod"
    FROM named JOIN orders o ON o.id = named.id
    LEFT JOIN priced v ON v.order_id = o.id
    ${SALE_IN_STATEMENT}`

export const streamOurOrders = (
  { id, partnerId, from, to }: Scope,
  trx: TransactionClientContract
): AsyncGenerator<OurOrder> =>
  streamRows<OurOrder>(ORDERS, { partnerId, registerId: id, from, to }, trx)

const REFUSED = `
  SELECT order_id_sent AS "orderIdSent", external_payment_id AS "externalPaymentId", amount_tenge AS "amountTenge", code
    FROM confirm_attempts
   WHERE partner_id = :partnerId AND received_at >= :from::timestamptz - ${EDGE} AND received_at < :to::timestamptz + ${EDGE}
     AND signature_valid AND code IS NOT NULL
   ORDER BY id`

/** Refused confirms: they explain money without a paid order. */
export const streamRefusals = (
  { partnerId, from, to }: Scope,
  trx: TransactionClientContract
): AsyncGenerator<ConfirmEvidence> =>
  streamRows<ConfirmEvidence>(REFUSED, { partnerId, from, to }, trx)
