import type { Language } from '#shared/languages'
import type { Role } from '#staff/role'
import { statement } from '#shared/statement'

export interface Staff {
  id: number
  email: string
  name: string
  role: Role
  language: Language
  hasTemporaryPassword: boolean
  hasSecondFactor: boolean
}

const columns = `id, email, full_name AS name, role, language, password_is_temporary AS "hasTemporaryPassword",
          totp_secret_encrypted IS NOT NULL AS "hasSecondFactor"`

/** Undefined for a disabled account, from its next request on. */
export const findStaff = statement<Staff, { id: number }>(
  'staff_find',
  `SELECT ${columns} FROM staff WHERE id = :id AND disabled_at IS NULL`
)

export const findStaffByEmail = statement<
  Staff & { password: string; passwordSetAt: string },
  { email: string }
>(
  'staff_find_by_email',
  `SELECT ${columns}, password, password_set_at::text AS "passwordSetAt"
     FROM staff WHERE lower(email) = lower(:email) AND disabled_at IS NULL`
)

/** The account whose password was verified, unless the password has been changed since. */
export const findStaffOfPassword = statement<Staff, { halfId: number; passwordSetAt: string }>(
  'staff_find_of_password',
  `SELECT ${columns} FROM staff
    WHERE id = :halfId AND password_set_at = :passwordSetAt::timestamptz AND disabled_at IS NULL`
)
