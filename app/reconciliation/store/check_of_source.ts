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

/**
 * Asks for a check of all days that confirmed registers of a source are of, and of the days around them; undefined when it has none.
 * `causedBy` names the change: a check that is running for an earlier one may not see it.
 */
export async function requestCheckOfSource(
  { sourceId, causedBy }: { sourceId: number; causedBy: string },
  asker: Asker,
  trx: TransactionClientContract
) {
  const found = await selectDays.first({ sourceId }, trx)
  if (!found) return undefined
  const { partnerCode, from, to } = found
  const params = { partnerCode, from: from.toISOString(), to: to.toISOString() }
  const asked = { kind: 'check_period', partnerCode, params, causedBy, ...asker } as const
  return new AskForRun().within(asked, trx)
}
