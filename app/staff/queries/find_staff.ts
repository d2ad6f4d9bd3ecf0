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

/** Somebody disabled is nobody, from the next request on. */
export const findStaff = statement<Staff>(
  'staff_find',
  `SELECT ${columns} FROM staff WHERE id = $1 AND disabled_at IS NULL`
)

export const findStaffByEmail = statement<Staff & { password: string; passwordSetAt: string }>(
  'staff_find_by_email',
  `SELECT ${columns}, password, password_set_at::text AS "passwordSetAt"
     FROM staff WHERE lower(email) = lower($1) AND disabled_at IS NULL`
)

/** Whose password was right, as long as it is still the same one. */
export const findStaffOfPassword = statement<Staff>(
  'staff_find_of_password',
  `SELECT ${columns} FROM staff
    WHERE id = $1 AND password_set_at = $2::timestamptz AND disabled_at IS NULL`
)

export const setLanguage = statement(
  'staff_set_language',
  'UPDATE staff SET language = $2, updated_at = now() WHERE id = $1'
)
