import type { Actor } from '#shared/actor'
import { record } from '#shared/journal'
import { statement } from '#shared/statement'
import { transaction } from '#shared/transaction'
import { assertNotLastAdmin, lockOther, takeAdminsTurn } from '#staff/queries/lock_staff'
import { endSessions } from '#staff/queries/staff_sessions'

const disable = statement<object, { id: number }>(
  'staff_disable',
  'UPDATE staff SET disabled_at = clock_timestamp(), updated_at = clock_timestamp() WHERE id = :id'
)

/** Nobody from the next request on; what the person has done stays in the journal. */
export default class DisableStaff {
  async handle({ id, reason, actor }: { id: number; reason: string; actor: Actor }) {
    await transaction(async (trx) => {
      await takeAdminsTurn(trx)
      const person = await lockOther(id, actor, trx)
      if (person.isDisabled) return
      await assertNotLastAdmin(person, trx)
      await disable({ id }, trx)
      await endSessions({ id, sessionId: null, exceptSessionId: null }, trx)
      await record('staff_disabled', { email: person.email, reason }, { actor }, trx)
    })
  }
}
