import type { Role } from '#staff/role'
import { statement } from '#shared/statement'

export const STAFF_FILTERS = ['q', 'role', 'status'] as const
export type StaffFilters = Record<(typeof STAFF_FILTERS)[number], string | null>

export interface StaffLine {
  id: number
  email: string
  name: string
  role: Role
  status: 'active' | 'invited' | 'disabled'
  hasSecondFactor: boolean
  lastSeenAt: string | null
  createdAt: string
}

const COLUMNS = `s.id, s.email, s.full_name AS name, s.role, s.created_at AS "createdAt",
          CASE WHEN s.disabled_at IS NOT NULL THEN 'disabled' WHEN s.password_is_temporary THEN 'invited'
               ELSE 'active' END AS status,
          s.totp_secret_encrypted IS NOT NULL AS "hasSecondFactor",
          (SELECT max(last_seen_at) FROM staff_sessions WHERE staff_id = s.id) AS "lastSeenAt"`

const select = statement<StaffLine>(
  'back_office_staff',
  `SELECT * FROM (SELECT ${COLUMNS} FROM staff s) people
    WHERE ($1::text IS NULL OR strpos(lower(name || ' ' || email), lower($1)) > 0)
      AND ($2::text IS NULL OR role = $2) AND ($3::text IS NULL OR status = $3)
    ORDER BY status = 'disabled', name, id`
)

/** Everybody: a company has hundreds of staff, not more. */
export const listStaff = ({ q, role, status }: StaffFilters) => select([q, role, status])

export interface StaffPage extends StaffLine {
  disabledAt: string | null
  passwordSetAt: string
  secondFactorSetAt: string | null
  openSessions: number
}

export const readStaff = statement<StaffPage>(
  'back_office_staff_member',
  `SELECT ${COLUMNS}, s.disabled_at AS "disabledAt", s.password_set_at AS "passwordSetAt",
          s.totp_set_at AS "secondFactorSetAt",
          (SELECT count(*)::int FROM staff_sessions
            WHERE staff_id = s.id AND ended_at IS NULL AND last_seen_at > now() - interval '8 hours') AS "openSessions"
     FROM staff s WHERE s.id = $1`
)
