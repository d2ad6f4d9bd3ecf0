import type { RulePrecision } from '#finance/cases/cases_props'
import { YEAR_MS } from '#shared/days'
import { statement } from '#shared/statement'

const selectPrecision = statement<RulePrecision, { partnerId: number | null; occurredAt: Date }>(
  'back_office_case_precision',
  `SELECT code, judged, "falsePositives" FROM (
     SELECT d.code, count(DISTINCT c.id)::int AS judged,
            (count(DISTINCT c.id) FILTER (WHERE c.is_false_positive))::int AS "falsePositives"
       FROM settlement_cases c JOIN settlement_defects d ON d.case_id = c.id
      WHERE c.state IN ('resolved', 'dismissed') AND c.occurred_at >= :occurredAt AND (:partnerId::int IS NULL OR c.partner_id = :partnerId)
      GROUP BY d.code) by_code
    ORDER BY "falsePositives"::float8 / judged DESC, judged DESC, code`
)

/** How often each rule was right in the last year, for all partners (null) or for one. */
export const readPrecision = (partnerId: number | null) =>
  selectPrecision({ partnerId, occurredAt: new Date(Date.now() - YEAR_MS) })
