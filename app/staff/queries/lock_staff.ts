import type { Role } from '#staff/role'
import type { Actor } from '#shared/actor'
import { refuse } from '#shared/refusals'
import { statement } from '#shared/statement'
import { takeTurn } from '#shared/turn'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

export interface LockedStaff {
  id: number
  email: string
  role: Role
  password: string
  isDisabled: boolean
  totpSecretEncrypted: string | null
  isSecondFactorLocked: boolean
}

const selectForUpdate = statement<LockedStaff, { id: number }>(
  'staff_lock',
  `SELECT id, email, role, password, disabled_at IS NOT NULL AS "isDisabled",
          totp_secret_encrypted AS "totpSecretEncrypted",
          second_factor_locked_at IS NOT NULL AS "isSecondFactorLocked"
     FROM staff WHERE id = :id FOR NO KEY UPDATE`
)
const otherAdmins = statement<{ count: number }, { personId: number }>(
  'staff_other_admins',
  `SELECT count(*)::int AS count FROM staff WHERE role = 'admin' AND disabled_at IS NULL AND id <> :personId`
)

export async function lockStaff(id: number, trx: TransactionClientContract): Promise<LockedStaff> {
  const person = await selectForUpdate.first({ id }, trx)
  return person ?? refuse('NO_SUCH', { what: 'staff member' })
}

/** For changes of a colleague's account; refuses NOT_YOURSELF for the own one. */
export async function lockOther(id: number, actor: Actor, trx: TransactionClientContract) {
  const person = await lockStaff(id, trx)
  const isSelf = actor.kind === 'staff' && actor.name.toLowerCase() === person.email.toLowerCase()
  return isSelf ? refuse('NOT_YOURSELF') : person
}

/** Serialises changes that could remove the last administrator. */
export const lockAdmins = (trx: TransactionClientContract) => takeTurn('staff:admins', trx)

export async function assertNotLastAdmin(person: LockedStaff, trx: TransactionClientContract) {
  if (person.role !== 'admin' || person.isDisabled) return
  const { count } = await otherAdmins.one({ personId: person.id }, trx)
  if (count === 0) refuse('LAST_ADMIN')
}
