import type { Actor } from '#shared/actor'
import { refuse } from '#shared/refusals'
import { statement } from '#shared/statement'
import { transaction } from '#shared/transaction'
import { recordAccountChange } from '#staff/account_changes'
import { newTemporaryPassword } from '#staff/password'
import type { Role } from '#staff/role'
import hash from '@adonisjs/core/services/hash'

export interface CreateStaffInput {
  email: string
  name: string
  role: Role
  actor: Actor
}

const insertStaff = statement<
  { id: number },
  { email: string; name: string; role: string; hashed: string }
>(
  'staff_insert',
  `INSERT INTO staff (email, full_name, role, password, password_is_temporary) VALUES (:email, :name, :role, :hashed, true)
   ON CONFLICT (lower(email)) DO NOTHING RETURNING id`
)

/** An account with a temporary password, which is returned only once and replaced at the first sign-in. */
export default class CreateStaff {
  async handle({ email, name, role, actor }: CreateStaffInput) {
    const password = newTemporaryPassword()
    const hashed = await hash.make(password)
    const id = await transaction(async (trx) => {
      const person = await insertStaff.first({ email, name, role, hashed }, trx)
      if (!person) refuse('ALREADY_EXISTS', { what: `staff member ${email}` })
      await recordAccountChange(
        'staff_created',
        { email, role },
        { staffId: person.id, actor },
        trx
      )
      return person.id
    })
    return { id, password }
  }
}
