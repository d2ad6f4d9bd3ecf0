import { statement } from '#shared/statement'

export interface EarlyRefund {
  line: number
  tenge: string
  /** The day that the row has, and the day of the first charge: `25.11.2026`. */
  found: string
  chargedOn: string
}

/** A person has said that the row `l` is not of the orders of its case `c`. */
const IS_REJECTED = `c.decision = 'rejected' AND l.is_suggested`

const local = (moment: string) => `${moment} AT TIME ZONE interval '5 hours'`
const dayFirst = (moment: string) => `to_char(${local(moment)}, 'DD.MM.YYYY')`

/**
 * Refunds of a register that are dated two days or more before the day of the first charge of their case: they are of something else,
 * or the date is wrong. The balance leaves them out (`balance.ts`), so that a person has to know of them. No order is charged before
 * it is made.
 *
 * Example, of an order that was made and charged on 28 November:
 *   3 | order 1 | 25.11.2026 | −12 000 | Возврат     an early refund
 */
export const selectEarlyRefunds = statement<
  { count: number; tenge: string; rows: EarlyRefund[] },
  { registerId: number; most: number }
>(
  'register_early_refunds',
  `WITH refunds AS (
     SELECT l.case_id, r.line, r.amount_tenge, r.at
       FROM partner_register_rows r
       JOIN partner_register_case_rows l ON l.register_id = r.register_id AND l.line = r.line
       JOIN partner_register_cases c ON c.id = l.case_id
      WHERE r.register_id = :registerId AND r.kind = 'refund' AND r.at IS NOT NULL AND NOT r.is_not_paid AND NOT r.is_unparseable
        AND (${IS_REJECTED}) IS NOT TRUE),
   of_cases AS (SELECT DISTINCT case_id FROM refunds),
   sold AS (
     SELECT l.case_id, min(s.at) AS at, count(*) > count(s.at) AS has_undated
       FROM of_cases JOIN partner_register_case_rows l USING (case_id) JOIN partner_register_cases c ON c.id = l.case_id
       JOIN partner_register_rows s ON s.register_id = l.register_id AND s.line = l.line
      WHERE s.kind = 'sale' AND NOT s.is_not_paid AND (${IS_REJECTED}) IS NOT TRUE
      GROUP BY l.case_id),
   made AS (
     SELECT l.case_id, min(o.created_at) AS at
       FROM of_cases JOIN partner_register_case_orders l USING (case_id) JOIN orders o ON o.id = l.order_id
      GROUP BY l.case_id),
   early AS (
     SELECT f.line, f.amount_tenge, f.at, least(sold.at, made.at) AS charged_at
       FROM refunds f LEFT JOIN sold USING (case_id) LEFT JOIN made USING (case_id)
      WHERE sold.has_undated IS NOT TRUE
        AND (${local('f.at')})::date < (${local('least(sold.at, made.at)')})::date - 1)
   SELECT count(*)::integer AS count, coalesce(sum(amount_tenge), 0)::text AS tenge,
          (SELECT coalesce(jsonb_agg(to_jsonb(f) ORDER BY f.line), '[]')
             FROM (SELECT line, amount_tenge::text AS tenge, ${dayFirst('at')} AS found, ${dayFirst('charged_at')} AS "chargedOn"
                     FROM early ORDER BY line LIMIT :most) f) AS rows
     FROM early`
)
