import { statement } from '#shared/statement'

/** How long an unused session lives (`config/session.ts`). */
const SESSION_LIFE = `interval '8 hours'`
/** How long a session lives at most, however much it is used. */
const LONGEST_SESSION = `interval '24 hours'`
/** `last_seen_at` is updated at most this often. */
const TOUCH_EVERY = `interval '1 minute'`

export interface StaffSession {
  id: string
  address: string
  browser: string
  beganAt: string
  lastSeenAt: string
}

/** A session that has not ended; read on every request. */
export const findOpenSession = statement<{ isStale: boolean }, { id: string; staffId: number }>(
  'staff_session_find',
  `SELECT last_seen_at < now() - ${TOUCH_EVERY} AS "isStale" FROM staff_sessions
    WHERE id = :id AND staff_id = :staffId AND ended_at IS NULL AND began_at > now() - ${LONGEST_SESSION}`
)

export const listOpenSessions = statement<StaffSession, { id: number }>(
  'staff_sessions_open',
  `SELECT id, address, browser, began_at AS "beganAt", last_seen_at AS "lastSeenAt" FROM staff_sessions
    WHERE staff_id = :id AND ended_at IS NULL AND last_seen_at > now() - ${SESSION_LIFE}
      AND began_at > now() - ${LONGEST_SESSION} ORDER BY last_seen_at DESC`
)

/** Addresses from which an account, given by e-mail or id, was signed in within 30 days. */
export const listKnownAddresses = statement<
  { address: string },
  { email: string | null; accountId: number | null }
>(
  'staff_known_addresses',
  `SELECT DISTINCT address FROM staff_sessions JOIN staff ON staff.id = staff_id
    WHERE (lower(email) = lower(:email) OR staff.id = :accountId) AND last_seen_at > now() - interval '30 days'`
)
