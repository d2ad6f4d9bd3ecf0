import { statement } from '#shared/statement'
import { transaction } from '#shared/transaction'
import { reportFailures } from '#staff/sign_in_failures'

const selectAccounts = statement<{ staffId: number | null }>(
  'staff_sign_in_failures_accounts',
  `SELECT staff_id AS "staffId" FROM staff_sign_in_failures GROUP BY staff_id
   HAVING sum(unreported) > 0 AND coalesce(max(reported_at) < now() - interval '1 minute', true)`
)
const prune = statement(
  'staff_sign_in_failures_prune',
  `DELETE FROM staff_sign_in_failures WHERE unreported = 0 AND last_at < now() - interval '1 day'`
)

/** Reports failures to the journal that came within the minute after the last report; deletes reported ones after a day. */
export default async function reportSignInFailures(): Promise<void> {
  for (const { staffId } of await selectAccounts({})) {
    await transaction((trx) => reportFailures(staffId, trx))
  }
  await prune({})
}
