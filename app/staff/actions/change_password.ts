import type { Actor } from '#shared/actor'
import { record } from '#shared/journal'
import { statement } from '#shared/statement'
import { transaction } from '#shared/transaction'
import { assertGoodPassword, assertOwnPassword } from '#staff/password'
import { lockStaff } from '#staff/queries/lock_staff'
import { endSessions } from '#staff/sessions'
import hash from '@adonisjs/core/services/hash'

export interface ChangePasswordInput {
  id: number
  currentPassword: string
  password: string
  /** The session that stays signed in; all others end. */
  sessionId: string
  actor: Actor
}

const updatePassword = statement<object, { id: number; hashed: string }>(
  'staff_change_password',
  `UPDATE staff SET password = :hashed, password_is_temporary = false, password_set_at = clock_timestamp(),
          updated_at = clock_timestamp() WHERE id = :id`
)

/** Sets an own password; every other session of the person ends. */
export default class ChangePassword {
  async handle({ id, currentPassword, password, sessionId, actor }: ChangePasswordInput) {
    const hashed = await hash.make(password)
    await transaction(async (trx) => {
      const person = await lockStaff(id, trx)
      await assertOwnPassword(person, currentPassword)
      await assertGoodPassword(password, person.email, person.password)
      await updatePassword({ id, hashed }, trx)
      await endSessions({ id, sessionId: null, exceptSessionId: sessionId }, trx)
      await record('staff_password_changed', {}, { actor }, trx)
    })
  }
}
