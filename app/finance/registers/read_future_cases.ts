import type { FutureCases } from '#finance/registers/registers_props'
import type { PartnerRegister } from '#reconciliation/store/find_register'
import { statement } from '#shared/statement'

/** SQL: whether another register that stays confirmed shows a charge of an order of the case. */
const IS_SHOWN_ELSEWHERE = `EXISTS (
  SELECT 1 FROM partner_register_case_orders own
    JOIN partner_register_case_orders other ON other.order_id = own.order_id AND other.register_id <> own.register_id
    JOIN partner_registers r ON r.id = other.register_id AND r.state = 'confirmed'
    JOIN partner_register_cases c ON c.id = other.case_id
    JOIN partner_register_case_rows l ON l.case_id = c.id
    JOIN partner_register_rows w ON w.register_id = l.register_id AND w.line = l.line
   WHERE own.case_id = found.id AND w.kind = 'sale' AND NOT w.is_not_paid
     AND NOT (l.is_suggested AND c.decision IS NOT DISTINCT FROM 'rejected')
     AND NOT (r.source_id = :sourceId AND r.period_from < :to AND r.period_to > :from))`

// Registers of the same source and days are replaced, so that what they show no longer counts. Rejected suggestions are counted by
// themselves.
const selectFutureCases = statement<
  FutureCases[number],
  Pick<PartnerRegister, 'id' | 'sourceId' | 'from' | 'to'>
>(
  'back_office_register_future_cases',
  `WITH found AS (
     SELECT id, category, why, sales_tenge - refunds_tenge AS theirs, total_tenge - refunded_tenge AS ours
       FROM partner_register_cases
      WHERE register_id = :id AND decision IS DISTINCT FROM 'rejected'
        AND category IN ('MISSING_AT_PLATFORM', 'MISSING_AT_PARTNER', 'AMOUNT_DIFF', 'KEY_CONFLICT', 'AMBIGUOUS', 'STATUS_DIFF',
                         'REFUND_DIFF')),
   named AS (
     SELECT theirs, ours,
            CASE WHEN category IN ('MISSING_AT_PARTNER', 'STATUS_DIFF') AND ${IS_SHOWN_ELSEWHERE} THEN 'shown_elsewhere'
                 WHEN category IN ('AMOUNT_DIFF', 'KEY_CONFLICT', 'AMBIGUOUS') THEN 'sums'
                 WHEN category = 'STATUS_DIFF' THEN 'statuses'
                 WHEN category = 'REFUND_DIFF' THEN 'refunds'
                 WHEN category = 'MISSING_AT_PLATFORM' THEN 'unknown_money'
                 WHEN why @> '[{"code": "NAMED_IN_UNREAD_ROW"}]' THEN 'named_in_unread_rows'
                 ELSE 'missing_orders' END AS kind
       FROM found)
   SELECT kind, count(*)::integer AS count, sum(greatest(theirs, ours))::float8 AS tenge,
          sum(greatest(theirs - ours, 0))::float8 AS "moreTenge", sum(greatest(ours - theirs, 0))::float8 AS "lessTenge"
     FROM named GROUP BY kind`
)

/** What becomes a case when a matched register is confirmed; nothing of one in another state. */
export async function readFutureCases({
  id,
  sourceId,
  from,
  to,
  state,
}: PartnerRegister): Promise<FutureCases> {
  return state === 'matched' ? selectFutureCases({ id, sourceId, from, to }) : []
}
