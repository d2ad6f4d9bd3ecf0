import { refuseField } from '#shared/refusals'
import type { LockedStaff } from '#staff/queries/lock_staff'
import hash from '@adonisjs/core/services/hash'

/** A session left open on a desk is not enough to change how one signs in. */
export async function assertOwnPassword({ password }: LockedStaff, given: string) {
  if (!(await hash.verify(password, given)))
    refuseField('currentPassword', 'wrong', 'account.wrong_password')
}
