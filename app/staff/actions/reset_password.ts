import type { Actor } from '#shared/actor'
import { statement } from '#shared/statement'
import { transaction } from '#shared/transaction'
import { recordAccountChange } from '#staff/account_changes'
import { newTemporaryPassword } from '#staff/password'
import { lockOther } from '#staff/queries/lock_staff'
import { endSessions } from '#staff/sessions'
import hash from '@adonisjs/core/services/hash'

const updatePassword = statement<object, { id: number; hashed: string }>(
  'staff_reset_password',
  `UPDATE staff SET password = :hashed, password_is_temporary = true, password_set_at = clock_timestamp(),
          updated_at = clock_timestamp() WHERE id = :id`
)

/** A temporary password, returned only once, for somebody who lost theirs; all their sessions end. */
export default class ResetPassword {
  async handle({ id, reason, actor }: { id: number; reason: string; actor: Actor }) {
    const password = newTemporaryPassword()
    const hashed = await hash.make(password)
    await transaction(async (trx) => {
      const { email } = await lockOther(id, actor, trx)
      await updatePassword({ id, hashed }, trx)
      await endSessions({ id, sessionId: null, exceptSessionId: null }, trx)
      await recordAccountChange(
        'staff_password_reset',
        { email, reason },
        { staffId: id, actor },
        trx
      )
    })
    return { password }
  }
}
