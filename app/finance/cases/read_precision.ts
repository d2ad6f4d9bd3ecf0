import { statement } from '#shared/statement'

export type Precision = {
  code: string
  /** Cases with this defect that somebody has settled. */
  judged: number
  /** Of them, those that the rules were wrong about. */
  falsePositives: number
}

const selectPrecision = statement<Precision, { partnerId: number | null; occurredAt: Date }>(
  'back_office_case_precision',
  `SELECT code, judged, "falsePositives" FROM (
     SELECT d.code, count(DISTINCT c.id)::int AS judged,
            (count(DISTINCT c.id) FILTER (WHERE c.is_false_positive))::int AS "falsePositives"
       FROM settlement_cases c JOIN settlement_defects d ON d.case_id = c.id
      WHERE c.state IN ('resolved', 'dismissed') AND c.occurred_at >= :occurredAt AND (:partnerId::int IS NULL OR c.partner_id = :partnerId)
      GROUP BY d.code) by_code
    ORDER BY "falsePositives"::float8 / judged DESC, judged DESC, code`
)
const YEAR_MS = 365 * 86_400_000

/** How far each rule could be trusted in a year, with all partners or with one. */
export const readPrecision = (partnerId: number | null) =>
  selectPrecision({ partnerId, occurredAt: new Date(Date.now() - YEAR_MS) })
