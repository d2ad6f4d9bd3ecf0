import type { ConfirmEvidence, OurOrder } from '#reconciliation/matching/match_case'
import type { PartnerRegister } from '#reconciliation/store/find_register'
import { milliseconds } from '#defects/facts/read_facts'
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

const MADE_NEARBY = `(o.created_at >= :from::timestamptz - ${EDGE} AND o.created_at < :to::timestamptz + ${EDGE})`

/**
 * What matching needs of orders. Tickets and the sale are looked up order by order: PostgreSQL would rather read all tickets of
 * everybody. Refunds after the period do not count. A statement that reaches beyond the register's days does not decide to which
 * period an order belongs: the moment of the sale does.
 */
const ordersWhere = (condition: string) => `
  SELECT o.id AS "orderId", o.partner_order_id AS "partnerOrderId", o.payment_external_id AS "externalPaymentId",
         o.total_tenge AS "totalTenge", coalesce(own.void, 0) AS "refundedTenge",
         coalesce(own.void_in_period, 0) AS "refundedInPeriodTenge", own.voids, own.least AS "leastPriceTenge",
         own.highest AS "highestPriceTenge", ${orderStatus('now()')} AS status,
         ${milliseconds('coalesce(o.payment_paid_at, o.confirmed_at, o.created_at)')} AS "paidAt",
         md5(lower(o.customer ->> 'email')) AS "emailHash", o.event_id AS "eventId",
         ${statementPeriod(':from', ':to')} AS "statementPeriod", ${isInPeriod(':from', ':to')} AS "isInPeriod"
    FROM orders o
    LEFT JOIN LATERAL (
      SELECT sum(tenge) FILTER (WHERE void_at IS NOT NULL)::bigint AS void, sum(tenge_in_period)::bigint AS void_in_period,
             jsonb_agg(jsonb_build_object('at', ${milliseconds('void_at')}, 'tenge', tenge) ORDER BY void_at)
               FILTER (WHERE void_at IS NOT NULL) AS voids,
             min(least)::bigint AS least, max(highest)::bigint AS highest
        FROM (SELECT CASE WHEN status = 'void' AND voided_at < :to THEN date_trunc('second', voided_at) END AS void_at,
                     sum(price_tenge) AS tenge,
                     sum(price_tenge) FILTER (WHERE status = 'void' AND voided_at >= :from AND voided_at < :to) AS tenge_in_period,
                     min(price_tenge) AS least, max(price_tenge) AS highest
                FROM tickets WHERE order_id = o.id GROUP BY 1) t) own ON true
    LEFT JOIN LATERAL (
      SELECT statement_id FROM ledger_movements WHERE source = o.id AND kind = 'sale' OFFSET 0) sale ON true
    LEFT JOIN settlement_statements s ON s.id = sale.statement_id
   WHERE o.partner_id = :partnerId AND ${condition}`

/** Orders made in the period or a day around it, in any status. */
const NEARBY = ordersWhere(MADE_NEARBY)

/** Orders of any other time that the register names, or that had voids in the period. */
const FURTHER = `
  WITH names AS (
    SELECT order_key AS name FROM partner_register_rows WHERE register_id = :registerId
    UNION SELECT order_id FROM partner_register_rows WHERE register_id = :registerId),
  payments AS (
    SELECT DISTINCT payment_id AS id FROM partner_register_rows WHERE register_id = :registerId),
  further AS (
    SELECT o.id FROM names JOIN orders o ON o.partner_order_id = name
     WHERE o.partner_id = :partnerId AND NOT ${MADE_NEARBY}
    UNION
    SELECT o.id FROM names JOIN orders o ON o.id = name
     WHERE o.partner_id = :partnerId AND NOT ${MADE_NEARBY}
    UNION
    SELECT o.id FROM payments JOIN orders o ON o.payment_external_id = payments.id
     WHERE o.partner_id = :partnerId AND NOT ${MADE_NEARBY}
    UNION
    SELECT order_id FROM ledger_movements WHERE partner_id = :partnerId AND statement_id IS NULL AND ${VOIDED}
    UNION
    SELECT m.order_id FROM settlement_statements s JOIN ledger_movements m ON m.statement_id = s.id
     WHERE s.partner_id = :partnerId AND s.period_to > :from AND ${VOIDED})
  ${ordersWhere(`o.id IN (SELECT id FROM further) AND NOT ${MADE_NEARBY}`)}`

/** Those nearby come first. */
export async function* streamOurOrders(
  { id, partnerId, from, to }: Scope,
  trx: TransactionClientContract
): AsyncGenerator<OurOrder> {
  yield* streamRows<OurOrder>(NEARBY, { partnerId, from, to }, trx)
  yield* streamRows<OurOrder>(FURTHER, { partnerId, registerId: id, from, to }, trx)
}

const PAID_NOTHING = `
  SELECT order_id_sent AS "orderIdSent", external_payment_id AS "externalPaymentId", amount_tenge AS "amountTenge", code
    FROM confirm_attempts
   WHERE partner_id = :partnerId AND received_at >= :from::timestamptz - ${EDGE} AND received_at < :to::timestamptz + ${EDGE}
     AND signature_valid AND (code IS NOT NULL OR names_other_payment)
   ORDER BY id`

/** Confirms that paid no order, or that name another payment than the one that paid it: they explain money. */
export const streamAttempts = (
  { partnerId, from, to }: Scope,
  trx: TransactionClientContract
): AsyncGenerator<ConfirmEvidence> =>
  streamRows<ConfirmEvidence>(PAID_NOTHING, { partnerId, from, to }, trx)
