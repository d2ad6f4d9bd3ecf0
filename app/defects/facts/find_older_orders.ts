import { LONGEST_WINDOW_SECONDS } from '#partners/settings'
import { streamRows } from '#shared/stream_rows'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

/** How long open cases are checked with later periods; an older one is checked with its month. */
const FOLLOWED = `interval '92 days'`

const VOIDED = `kind IN ('refund', 'event_cancel', 'platform_void') AND effective_at < :to
  AND effective_at >= :from::timestamptz - make_interval(days => :refundDays::integer + 1)`

/**
 * Orders made before `from` that got a confirm, a void, a late scan or a refused refund in the period.
 * Nearly all confirms of a period are of orders made in it. An order made before `from` has a window that ends at the latest
 * LONGEST_WINDOW_SECONDS after `from`: the condition on `window_ends_at` leaves few confirms whose orders have to be read.
 */
const TOUCHED = `
  SELECT o.id FROM orders o JOIN (
    SELECT order_id_sent AS id FROM confirm_attempts
     WHERE partner_id = :partnerId AND received_at >= :from AND received_at < :to AND signature_valid
       AND window_ends_at < :from::timestamptz + interval '${LONGEST_WINDOW_SECONDS} seconds'
     UNION
    SELECT order_id FROM ledger_movements WHERE partner_id = :partnerId AND statement_id IS NULL AND ${VOIDED}
     UNION
    SELECT m.order_id FROM settlement_statements s JOIN ledger_movements m ON m.statement_id = s.id
     WHERE s.partner_id = :partnerId AND s.period_to > :from::timestamptz - make_interval(days => :refundDays::integer + 1) AND ${VOIDED}
     UNION
    SELECT t.order_id FROM ticket_scans s JOIN tickets t ON t.id = s.ticket_id
     WHERE s.verdict = 'TICKET_VOID' AND s.offline_at IS NOT NULL AND s.scanned_at >= :from AND s.scanned_at < :to
     UNION
    SELECT order_id FROM refused_refunds WHERE partner_id = :partnerId AND at >= :from AND at < :to) touched USING (id)
   WHERE o.created_at < :from AND o.partner_id = :partnerId`

const OPEN_CASES = `
  SELECT key, order_ids AS orders,
         ARRAY(SELECT DISTINCT order_id FROM settlement_defects d WHERE d.case_id = c.id) AS named
    FROM settlement_cases c
   WHERE id IN (
     SELECT id FROM settlement_cases
      WHERE partner_id = :partnerId AND gone_at IS NULL AND state IN ('open', 'in_work', 'with_partner')
        AND occurred_at >= :from::timestamptz - ${FOLLOWED} AND occurred_at < :from
      UNION SELECT id FROM settlement_cases WHERE partner_id = :partnerId AND order_ids && :orderIds::text[] AND occurred_at < :from)`

export interface OlderOrders {
  /** Orders made before the period with an event in it, or with an open case. */
  ids: string[]
  /** Ids that stood in one case before. */
  groups: string[][]
}

/** Finds orders of earlier periods to check again: a late confirm, a refund or an elapsed deadline may change their case. */
export async function findOlderOrders(
  { partnerId, from, to }: { partnerId: number; from: Date; to: Date },
  refundEvidenceDays: number,
  trx: TransactionClientContract
): Promise<OlderOrders> {
  const ids = new Set<string>()
  const touched = streamRows<{ id: string }>(
    TOUCHED,
    { partnerId, from, to, refundDays: refundEvidenceDays },
    trx
  )
  for await (const { id } of touched) ids.add(id)
  type Open = { key: string; orders: string[]; named: string[] }
  const groups: string[][] = []
  for await (const { key, orders, named } of streamRows<Open>(
    OPEN_CASES,
    { partnerId, from, orderIds: [...ids] },
    trx
  ))
    groups.push([key, ...orders, ...named])
  for (const id of groups.flat()) ids.add(id)
  return { ids: [...ids], groups }
}
