import type { Actor } from '#shared/actor'
import { record } from '#shared/journal'
import { refuse } from '#shared/refusals'
import { transaction } from '#shared/transaction'
import { assertOwnPassword } from '#staff/password'
import { lockStaff } from '#staff/queries/lock_staff'
import { replaceRecoveryCodes } from '#staff/recovery_codes'

/** Replaces all recovery codes; the new ones are returned only once. */
export default class RenewRecoveryCodes {
  async handle(input: { id: number; currentPassword: string; actor: Actor }) {
    const { id, currentPassword, actor } = input
    return transaction(async (trx) => {
      const person = await lockStaff(id, trx)
      await assertOwnPassword(person, currentPassword)
      if (!person.totpSecretEncrypted) refuse('NO_SUCH', { what: 'second factor' })
      await record('staff_recovery_codes_renewed', {}, { actor }, trx)
      return replaceRecoveryCodes(id, trx)
    })
  }
}
