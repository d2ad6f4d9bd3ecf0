import type { MatchCategory, Reason } from '#reconciliation/matching/match_case'
import { statement } from '#shared/statement'
import { streamRows } from '#shared/stream_rows'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

/** A case of a confirmed register, with its rows and orders. */
export interface EvidenceCase {
  id: number
  registerId: number
  /** In the order of the register's lines. */
  place: number
  isDiffering: boolean
  coversSales: boolean
  /** The source, where it numbers payments in its own way. */
  numberedBy: number | null
  from: Date
  to: Date
  category: MatchCategory
  decision: 'accepted' | 'rejected' | null
  why: Reason[]
  salesTenge: bigint
  refundsTenge: bigint
  totalTenge: bigint
  refundedTenge: bigint
  /** What the money was meant for, ours or not. */
  meantOrderId: string | null
  isMeantOurs: boolean
  orderIds: string[]
  rows: EvidenceLine[]
}
export interface EvidenceLine {
  line: number
  at: string | null
  paymentId: string | null
  /** What it calls its order. */
  order: string | null
  kind: 'sale' | 'refund'
  tenge: number | null
  /** What went back of the charge that the same row shows. */
  returnedTenge: number
  isNotPaid: boolean
  /** A person has said, or has to say, whether it belongs to the orders. */
  isSuggested: boolean
}

/** Ordinary cases: orders of the register's days and their charge, as we have them. All others differ. */
const IS_ORDINARY = `(c.category = 'MATCHED' AND c.refunds_tenge = 0
  AND c.decision IS DISTINCT FROM 'rejected' AND NOT c.why @> '[{"code": "NET_OF_REFUND"}]')`

/** Rows that show no money. */
const SHOWS_NOTHING = `(c.category IN ('DUP_IN_FILE', 'UNPARSEABLE')
  OR c.category = 'OUT_OF_SCOPE' AND c.why @> '[{"code": "NOT_PAID_THERE"}]')`

const casesWhere = (condition: string) => `
  SELECT c.id, r.id AS "registerId", c.place, NOT ${IS_ORDINARY} AS "isDiffering", r.covers_sales AS "coversSales",
         CASE s.payment_ids_are WHEN 'own' THEN s.id END AS "numberedBy",
         r.period_from AS "from", r.period_to AS "to", c.category, c.decision, c.why,
         c.sales_tenge AS "salesTenge", c.refunds_tenge AS "refundsTenge", c.total_tenge AS "totalTenge",
         c.refunded_tenge AS "refundedTenge", c.meant_order_id AS "meantOrderId",
         EXISTS (SELECT 1 FROM orders o WHERE o.id = c.meant_order_id AND o.partner_id = r.partner_id) AS "isMeantOurs",
         ARRAY(SELECT order_id FROM partner_register_case_orders WHERE case_id = c.id ORDER BY order_id) AS "orderIds",
         coalesce(theirs.rows, '[]') AS rows
    FROM partner_registers r JOIN partner_register_cases c ON c.register_id = r.id
    JOIN register_sources s ON s.id = r.source_id,
         LATERAL (SELECT jsonb_agg(jsonb_build_object('line', w.line, 'at', w.at, 'paymentId', w.payment_id, 'kind', w.kind,
                                   'order', coalesce(w.order_id, w.order_key), 'tenge', w.amount_tenge, 'returnedTenge', w.returned_tenge,
                                   'isNotPaid', w.is_not_paid, 'isSuggested', l.is_suggested) ORDER BY w.line) AS rows
                    FROM partner_register_case_rows l JOIN partner_register_rows w USING (register_id, line)
                   WHERE l.case_id = c.id) theirs
   WHERE ${condition}
   ORDER BY r.id, c.place`

/**
 * All but ordinary cases of one order. One that differs from our orders in anything counts; also a charge of an order of other days, as
 * a register of those days may show another. An ordinary one of several orders leads from one order to another.
 */
const OF_REGISTER = casesWhere(
  `r.id = :registerId AND c.place >= :from AND c.place < :to AND CASE
     WHEN ${IS_ORDINARY} THEN (SELECT count(*) FROM partner_register_case_orders WHERE case_id = c.id) > 1
     ELSE NOT ${SHOWS_NOTHING} OR c.decision = 'rejected' END`
)
// From a subquery, which says nothing of how many they are: of many ids PostgreSQL would rather look through all cases.
const selectOrdinary = statement<EvidenceCase, { partnerId: number; ids: number[] }>(
  'register_evidence_ordinary_cases',
  casesWhere(
    `r.partner_id = :partnerId AND r.state = 'confirmed' AND ${IS_ORDINARY}
     AND EXISTS (SELECT 1 FROM partner_register_kept_evidence WHERE register_id = r.id)
     AND c.id = ANY (ARRAY(SELECT unnest(:ids::integer[])))`
  )
)
const selectOfOrders = statement<{ id: number }, { orderIds: string[] }>(
  'register_evidence_cases_of_orders',
  'SELECT DISTINCT case_id AS id FROM partner_register_case_orders WHERE order_id = ANY(:orderIds::text[])'
)

/** Cases of a register to keep, of places in [from, to). */
export const readCasesToKeep = (
  scope: { registerId: number; from: number; to: number },
  trx: TransactionClientContract
) => Array.fromAsync(streamRows<EvidenceCase>(OF_REGISTER, scope, trx))

/** Cases with one of these orders, of whatever registers. */
export async function findCasesOfOrders(orderIds: string[], trx: TransactionClientContract) {
  const found = orderIds.length === 0 ? [] : await selectOfOrders({ orderIds }, trx)
  return found.map(({ id }) => id)
}

/** Those of these cases that are ordinary, in confirmed registers whose evidence is kept. */
export async function readOrdinaryCases(
  partnerId: number,
  ids: number[],
  trx: TransactionClientContract
) {
  return ids.length === 0 ? [] : selectOrdinary({ partnerId, ids }, trx)
}
