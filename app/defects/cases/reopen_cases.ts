import { changeCaseWithin } from '#case_work/change_case'
import { caseRow, type FoundCase } from '#defects/cases/save_cases'
import { CLOCK } from '#shared/actor'
import { statement } from '#shared/statement'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

/** The reason in the journal: a key of the pages' texts. */
const REASON = 'cases.new_money'

const selectGrown = statement<{ id: number }, { partnerId: number; rows: string }>(
  'settlement_cases_grown',
  `SELECT c.id FROM jsonb_to_recordset(:rows::jsonb) AS found (key text, buyer_tenge bigint, platform_tenge bigint, partner_tenge bigint)
     JOIN settlement_cases c ON c.partner_id = :partnerId AND c.key = found.key
    WHERE c.state IN ('resolved', 'dismissed')
      AND (found.buyer_tenge > c.settled_buyer_tenge OR found.platform_tenge > c.settled_platform_tenge
           OR found.partner_tenge > c.settled_partner_tenge)
    ORDER BY c.id`
)

/** Reopens ended cases in which more of a party's money is at risk than when they ended. */
export async function reopenCases(
  partnerId: number,
  found: FoundCase[],
  trx: TransactionClientContract
) {
  const rows = JSON.stringify(found.map(caseRow))
  const change = { state: 'open', reason: REASON } as const
  for (const { id } of await selectGrown({ partnerId, rows }, trx))
    await changeCaseWithin(id, change, CLOCK, trx)
}
