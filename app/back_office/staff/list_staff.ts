import type {
  FailedNetwork,
  StaffFilters,
  StaffLine,
  StaffMember,
} from '#back_office/staff/staff_props'
import { statement } from '#shared/statement'

/** Failures that the sign-in limits still count. */
const RECENT_FAILURES = `f.failures > 0 AND f.last_at > now() - interval '15 minutes'`

const COLUMNS = `s.id, s.email, s.full_name AS name, s.role, s.created_at AS "createdAt",
          CASE WHEN s.disabled_at IS NOT NULL THEN 'disabled' WHEN s.password_is_temporary THEN 'invited'
               ELSE 'active' END AS status,
          s.totp_secret_encrypted IS NOT NULL AS "hasSecondFactor",
          (SELECT max(last_seen_at) FROM staff_sessions WHERE staff_id = s.id) AS "lastSeenAt",
          (SELECT json_build_object(
                    'failures', coalesce(sum(f.failures), 0), 'networks', count(f.network),
                    'blockedUntil', max(f.blocked_until) FILTER (WHERE f.blocked_until > now()),
                    'slowedUntil', CASE WHEN s.sign_in_slowed_until > now() THEN s.sign_in_slowed_until END,
                    'factorLockedAt', s.second_factor_locked_at)
             FROM staff_sign_in_failures f WHERE f.staff_id = s.id AND ${RECENT_FAILURES}) AS "signIn"`

const select = statement<
  StaffLine,
  { q: string | null; role: string | null; status: string | null }
>(
  'back_office_staff',
  `SELECT * FROM (SELECT ${COLUMNS} FROM staff s) people
    WHERE (:q::text IS NULL OR strpos(lower(name || ' ' || email), lower(:q)) > 0)
      AND (:role::text IS NULL OR role = :role) AND (:status::text IS NULL OR status = :status)
    ORDER BY status = 'disabled', name, id`
)

/** All staff without pages: a company has hundreds of them at most. */
export const listStaff = ({ q, role, status }: StaffFilters) => select({ q, role, status })

export const readStaff = statement<StaffMember, { paramsId: number }>(
  'back_office_staff_member',
  `SELECT ${COLUMNS}, s.disabled_at AS "disabledAt", s.password_set_at AS "passwordSetAt",
          s.totp_set_at AS "secondFactorSetAt", s.second_factor_failures AS "wrongCodes",
          (SELECT count(*)::int FROM staff_sessions
            WHERE staff_id = s.id AND ended_at IS NULL AND last_seen_at > now() - interval '8 hours') AS "openSessions"
     FROM staff s WHERE s.id = :paramsId`
)

/** Networks of a person's recent wrong passwords and codes, the newest first. */
export const listFailedNetworks = statement<FailedNetwork, { personId: number }>(
  'back_office_staff_failed_networks',
  `SELECT f.network, f.failures, f.last_at AS "lastAt",
          CASE WHEN f.blocked_until > now() THEN f.blocked_until END AS "blockedUntil"
     FROM staff_sign_in_failures f WHERE f.staff_id = :personId AND ${RECENT_FAILURES}
    ORDER BY f.last_at DESC LIMIT 20`
)
