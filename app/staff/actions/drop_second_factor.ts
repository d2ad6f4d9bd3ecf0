import type { Actor } from '#shared/actor'
import { record } from '#shared/journal'
import { refuse } from '#shared/refusals'
import { transaction } from '#shared/transaction'
import { assertOwnPassword } from '#staff/password'
import { removeSecondFactor } from '#staff/remove_second_factor'
import { lockStaff } from '#staff/queries/lock_staff'
import { needsSecondFactor } from '#staff/second_factor'

/** Removes the own second factor; only for roles that don't need one. */
export default class DropSecondFactor {
  async handle(input: { id: number; currentPassword: string; actor: Actor }) {
    const { id, currentPassword, actor } = input
    await transaction(async (trx) => {
      const person = await lockStaff(id, trx)
      await assertOwnPassword(person, currentPassword)
      if (needsSecondFactor(person.role)) refuse('SECOND_FACTOR_REQUIRED')
      if (!person.totpSecretEncrypted) return
      await removeSecondFactor(id, trx)
      await record('staff_second_factor_dropped', {}, { actor }, trx)
    })
  }
}
