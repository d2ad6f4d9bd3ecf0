import type { Role } from '#back_office/permissions'
import { statement } from '#shared/statement'

export const LANGUAGES = ['ru', 'kk', 'en'] as const
export type Language = (typeof LANGUAGES)[number]

export interface Staff {
  id: number
  email: string
  name: string
  role: Role
  language: Language
}

const columns = 'id, email, full_name AS name, role, language'

/** Somebody disabled is nobody, from the next request on. */
export const findStaff = statement<Staff>(
  'staff_find',
  `SELECT ${columns} FROM staff WHERE id = $1 AND disabled_at IS NULL`
)

export const findStaffByEmail = statement<Staff & { password: string }>(
  'staff_find_by_email',
  `SELECT ${columns}, password FROM staff WHERE lower(email) = lower($1) AND disabled_at IS NULL`
)

export const setLanguage = statement(
  'staff_set_language',
  'UPDATE staff SET language = $2, updated_at = now() WHERE id = $1'
)
