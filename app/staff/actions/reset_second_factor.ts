import type { Actor } from '#shared/actor'
import { refuse } from '#shared/refusals'
import { transaction } from '#shared/transaction'
import { recordAccountChange } from '#staff/account_changes'
import { removeSecondFactor } from '#staff/remove_second_factor'
import { lockOther } from '#staff/queries/lock_staff'
import { endSessions } from '#staff/sessions'

/** For somebody who lost both phone and recovery codes: they sign in again with the password and set up another. */
export default class ResetSecondFactor {
  async handle({ id, reason, actor }: { id: number; reason: string; actor: Actor }) {
    await transaction(async (trx) => {
      const { email, totpSecretEncrypted } = await lockOther(id, actor, trx)
      if (!totpSecretEncrypted) refuse('NO_SUCH', { what: 'second factor' })
      await removeSecondFactor(id, trx)
      await endSessions({ id, sessionId: null, exceptSessionId: null }, trx)
      await recordAccountChange(
        'staff_second_factor_reset',
        { email, reason },
        { staffId: id, actor },
        trx
      )
    })
  }
}
