import type { Actor } from '#shared/actor'
import { refuse } from '#shared/refusals'
import { statement } from '#shared/statement'
import { transaction } from '#shared/transaction'
import { recordAccountChange } from '#staff/account_changes'
import { assertNotLastAdmin, lockOther, lockAdmins } from '#staff/queries/lock_staff'
import type { Role } from '#staff/role'

export interface ChangeStaffRoleInput {
  id: number
  /** The role at the time of the decision; refuses STALE when it is another one now. */
  from: Role
  to: Role
  reason: string
  actor: Actor
}

const updateRole = statement<object, { id: number; to: string }>(
  'staff_update_role',
  'UPDATE staff SET role = :to, updated_at = clock_timestamp() WHERE id = :id'
)

/** Gives a colleague another role; the last administrator keeps theirs. */
export default class ChangeStaffRole {
  async handle({ id, from, to, reason, actor }: ChangeStaffRoleInput) {
    await transaction(async (trx) => {
      await lockAdmins(trx)
      const person = await lockOther(id, actor, trx)
      if (person.role === to) return
      if (person.role !== from) refuse('STALE')
      await assertNotLastAdmin(person, trx)
      await updateRole({ id, to }, trx)
      const { email } = person
      await recordAccountChange(
        'staff_role_changed',
        { email, from, to, reason },
        { staffId: id, actor },
        trx
      )
    })
  }
}
