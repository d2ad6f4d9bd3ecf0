import type { MatchCategory, Reason } from '#reconciliation/matching/match_case'
import {
  isInPeriod,
  SALE_IN_STATEMENT,
  statementPeriod,
} from '#reconciliation/store/read_our_orders'
import { streamRows } from '#shared/stream_rows'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

/** A case of a confirmed register, with its rows and orders. */
export interface EvidenceCase {
  id: number
  registerId: number
  source: string
  coversSales: boolean
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
  orders: {
    id: string
    /** Its sale has to be in the register. */
    isOfDays: boolean
  }[]
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

const DAYS = ['r.period_from', 'r.period_to'] as const
const IS_OF_DAYS = `coalesce(${statementPeriod(...DAYS)} = 'this', ${isInPeriod(...DAYS)})`

const casesWhere = (condition: string) => `
  SELECT c.id, r.id AS "registerId", r.source_id::text AS source,
         r.covers_sales AS "coversSales", r.period_from AS "from", r.period_to AS "to", c.category, c.decision, c.why,
         c.sales_tenge AS "salesTenge", c.refunds_tenge AS "refundsTenge", c.total_tenge AS "totalTenge",
         c.refunded_tenge AS "refundedTenge", c.meant_order_id AS "meantOrderId",
         EXISTS (SELECT 1 FROM orders o WHERE o.id = c.meant_order_id AND o.partner_id = r.partner_id) AS "isMeantOurs",
         coalesce(ours.orders, '[]') AS orders, coalesce(theirs.rows, '[]') AS rows
    FROM partner_registers r JOIN partner_register_cases c ON c.register_id = r.id,
         LATERAL (SELECT jsonb_agg(jsonb_build_object('id', listed.order_id, 'isOfDays', ${IS_OF_DAYS}) ORDER BY listed.order_id) AS orders
                    FROM partner_register_case_orders listed JOIN orders o ON o.id = listed.order_id ${SALE_IN_STATEMENT}
                   WHERE listed.case_id = c.id) ours,
         LATERAL (SELECT jsonb_agg(jsonb_build_object('line', w.line, 'at', w.at, 'paymentId', w.payment_id, 'kind', w.kind,
                                   'order', coalesce(w.order_id, w.order_key), 'tenge', w.amount_tenge, 'returnedTenge', w.returned_tenge,
                                   'isNotPaid', w.is_not_paid, 'isSuggested', l.is_suggested) ORDER BY w.line) AS rows
                    FROM partner_register_case_rows l JOIN partner_register_rows w USING (register_id, line)
                   WHERE l.case_id = c.id) theirs
   WHERE r.partner_id = :partnerId AND r.state = 'confirmed' AND ${condition}
   ORDER BY r.id, c.place`

/**
 * Orders of the register's days and their charge, as we have them. It is changed only together with the index
 * `partner_register_cases_remarkable`, which has the same condition.
 */
const IS_PLAIN = `(c.category = 'MATCHED' AND c.refunds_tenge = 0
  AND c.decision IS DISTINCT FROM 'rejected' AND NOT c.why @> '[{"code": "NET_OF_REFUND"}]')`

/** Rows that show no money. */
const SHOWS_NOTHING = `(c.category IN ('DUP_IN_FILE', 'UNPARSEABLE')
  OR c.category = 'OUT_OF_SCOPE' AND c.why @> '[{"code": "NOT_PAID_THERE"}]')`

/**
 * Cases that differ from our orders in anything. A charge of an order of other days is one: a register of those days may show
 * another.
 */
export const REMARKABLE = casesWhere(
  `NOT ${IS_PLAIN} AND (NOT ${SHOWS_NOTHING} OR c.decision = 'rejected')`
)
// Found by their orders first: PostgreSQL would rather look through all cases for each of these orders.
const PLAIN = casesWhere(
  `${IS_PLAIN} AND c.id = ANY (ARRAY(
    SELECT case_id FROM partner_register_case_orders WHERE order_id = ANY(:orderIds::text[])))`
)

export const readRemarkableCases = (partnerId: number, trx: TransactionClientContract) =>
  streamRows<EvidenceCase>(REMARKABLE, { partnerId }, trx)

/** The other cases with one of these orders. */
export const readPlainCases = (
  partnerId: number,
  orderIds: string[],
  trx: TransactionClientContract
) => streamRows<EvidenceCase>(PLAIN, { partnerId, orderIds }, trx)
