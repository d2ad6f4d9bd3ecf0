import type { Actor } from '#shared/actor'
import { record } from '#shared/journal'
import { statement } from '#shared/statement'
import { transaction } from '#shared/transaction'
import { assertNotLastAdmin, lockOther, lockAdmins } from '#staff/queries/lock_staff'
import { endSessions } from '#staff/sessions'

const disable = statement<object, { id: number }>(
  'staff_disable',
  'UPDATE staff SET disabled_at = clock_timestamp(), updated_at = clock_timestamp() WHERE id = :id'
)

/** Disables an account from its next request on; its entries stay in the journal. */
export default class DisableStaff {
  async handle({ id, reason, actor }: { id: number; reason: string; actor: Actor }) {
    await transaction(async (trx) => {
      await lockAdmins(trx)
      const person = await lockOther(id, actor, trx)
      if (person.isDisabled) return
      await assertNotLastAdmin(person, trx)
      await disable({ id }, trx)
      await endSessions({ id, sessionId: null, exceptSessionId: null }, trx)
      await record('staff_disabled', { email: person.email, reason }, { actor }, trx)
    })
  }
}
