import { refuse } from '#shared/refusals'
import { statement } from '#shared/statement'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'

export interface Penalty {
  partnerCode: string
  /** By the terms of the day of the case; 0 where nothing can be charged. */
  penaltyTenge: bigint
  /** Whether a penalty is in force or waits for approval, for this case or another one of its orders. */
  isAsked: boolean
}

// Only for the partner's own fault, and not where somebody has said that nothing is to be done. Until cases of the same orders are merged, each of them sees the other's penalty.
const selectPenalty = statement<Penalty, { caseId: number }>(
  'settlement_case_penalty',
  `SELECT p.code AS "partnerCode",
          CASE WHEN c.gone_at IS NULL AND c.state <> 'dismissed' AND c.fault = 'PARTNER'
                AND EXISTS (SELECT 1 FROM settlement_defects d
                             WHERE d.case_id = c.id AND d.code = 'CONFIRM_ORDER_EXPIRED' AND d.gone_at IS NULL)
               THEN (SELECT penalty_tenge FROM settlement_terms
                      WHERE partner_id = c.partner_id AND valid_from <= c.occurred_at ORDER BY valid_from DESC LIMIT 1)
               ELSE 0 END::bigint AS "penaltyTenge",
          EXISTS (SELECT 1 FROM settlement_memos m JOIN settlement_cases asked ON asked.id = m.origin_case_id
                   WHERE m.partner_id = c.partner_id AND m.kind = 'penalty' AND m.outcome IS DISTINCT FROM 'declined'
                     AND NOT memo_is_reversed(m)
                     AND (asked.id = c.id OR asked.order_ids && c.order_ids)) AS "isAsked"
     FROM settlement_cases c JOIN partners p ON p.id = c.partner_id WHERE c.id = :caseId`
)

/** The penalty of a case; refuses NO_SUCH. */
export async function findPenalty(caseId: number, client?: QueryClientContract): Promise<Penalty> {
  return (await selectPenalty.first({ caseId }, client)) ?? refuse('NO_SUCH', { what: 'case' })
}
