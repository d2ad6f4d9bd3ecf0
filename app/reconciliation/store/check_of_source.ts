import type { Asker } from '#reconciliation/store/request_check'
import AskForRun from '#runs/ask_for_run/ask_for_run'
import { statement } from '#shared/statement'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

const selectDays = statement<{ partnerCode: string; from: Date; to: Date }, { sourceId: number }>(
  'register_source_confirmed_days',
  `SELECT p.code AS "partnerCode", min(r.period_from) - interval '1 day' AS "from", max(r.period_to) + interval '1 day' AS "to"
     FROM partner_registers r JOIN partners p ON p.id = r.partner_id
    WHERE r.source_id = :sourceId AND r.state = 'confirmed' GROUP BY p.code`
)
const forgetEvidence = statement<object, { sourceId: number }>(
  'register_source_forget_evidence',
  `UPDATE partner_register_kept_evidence SET form = 0
    WHERE register_id IN (SELECT id FROM partner_registers WHERE source_id = :sourceId)`
)

/** Asks for a check of all days that confirmed registers of a source are of, and of the days around them. */
export async function requestCheckOfSource(
  sourceId: number,
  asker: Asker,
  trx: TransactionClientContract
) {
  const found = await selectDays.first({ sourceId }, trx)
  if (!found) return undefined
  const { partnerCode, from, to } = found
  const params = { partnerCode, from: from.toISOString(), to: to.toISOString() }
  return new AskForRun().within({ kind: 'check_period', partnerCode, params, ...asker }, trx)
}

/** The same, after what its confirmed registers show is worked out once more. */
export async function judgeSourceAgain(
  sourceId: number,
  asker: Asker,
  trx: TransactionClientContract
) {
  await forgetEvidence({ sourceId }, trx)
  return requestCheckOfSource(sourceId, asker, trx)
}
