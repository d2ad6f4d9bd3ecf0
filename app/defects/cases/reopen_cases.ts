import { changeCaseWithin } from '#defects/cases/change_case'
import { caseRow, type FoundCase } from '#defects/cases/save_cases'
import { CLOCK } from '#shared/actor'
import { statement } from '#shared/statement'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

/** The reason in the journal: a key of the pages' texts. */
const REASON = 'cases.new_money'

const selectGrown = statement<{ id: number }, { partnerId: number; rows: string }>(
  'settlement_cases_grown',
  `SELECT c.id FROM jsonb_to_recordset(:rows::jsonb) AS found (key text, exposure_tenge bigint, exposure_party text, payment_ids text[])
     JOIN settlement_cases c ON c.partner_id = :partnerId AND c.key = found.key
    WHERE c.state IN ('resolved', 'dismissed') AND found.exposure_tenge > 0
      AND (found.exposure_tenge > c.settled_tenge OR found.exposure_party <> c.settled_party
           OR NOT found.payment_ids <@ c.settled_payment_ids)
    ORDER BY c.id`
)

/** Reopens ended cases whose exposure has grown, is another party's now, or has another payment. */
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
