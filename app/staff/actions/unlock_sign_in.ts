import type { Actor } from '#shared/actor'
import { record } from '#shared/journal'
import { statement } from '#shared/statement'
import { sumNumbers } from '#shared/sums'
import { transaction } from '#shared/transaction'
import { lockOther } from '#staff/queries/lock_staff'
import { clearFailures, reportFailures } from '#staff/sign_in_failures'

const unlock = statement<object, { id: number }>(
  'staff_sign_in_unlock',
  `UPDATE staff SET second_factor_failures = 0, second_factor_locked_at = NULL, sign_in_slowed_until = NULL,
          updated_at = clock_timestamp() WHERE id = :id`
)

/** Lets a colleague sign in again at once, from everywhere. Returns the networks whose rate limits the caller has to reset. */
export default class UnlockSignIn {
  async handle({ id, reason, actor }: { id: number; reason: string; actor: Actor }) {
    return transaction(async (trx) => {
      // Locked before the person's row, as for a failure: otherwise the two could deadlock.
      await reportFailures(id, trx)
      const { email } = await lockOther(id, actor, trx)
      const cleared = await clearFailures({ id }, trx)
      await unlock({ id }, trx)
      const failures = sumNumbers(cleared, (network) => network.failures)
      await record('staff_sign_in_unlocked', { email, reason, failures }, { actor }, trx)
      return { email, networks: cleared.map(({ network }) => network) }
    })
  }
}
