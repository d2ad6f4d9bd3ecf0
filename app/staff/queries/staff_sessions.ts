import { statement } from '#shared/statement'

/** As long as the session itself lives without being used (`config/session.ts`). */
const LIVES = `interval '8 hours'`
const NOTED_EVERY = `interval '1 minute'`

export interface StaffSession {
  id: string
  address: string
  browser: string
  beganAt: string
  lastSeenAt: string
}

export const beginSession = statement<
  { id: string },
  { staffId: number; address: string; browser: string }
>(
  'staff_session_begin',
  'INSERT INTO staff_sessions (staff_id, address, browser) VALUES (:staffId, :address, :browser) RETURNING id'
)

/** Whether a session still counts; asked on every request. */
export const findOpenSession = statement<{ isOld: boolean }, { id: string; staffId: number }>(
  'staff_session_find',
  `SELECT last_seen_at < now() - ${NOTED_EVERY} AS "isOld" FROM staff_sessions
    WHERE id = :id AND staff_id = :staffId AND ended_at IS NULL`
)

export const noteSession = statement<object, { id: string; address: string }>(
  'staff_session_note',
  'UPDATE staff_sessions SET last_seen_at = clock_timestamp(), address = :address WHERE id = :id'
)

export const listOpenSessions = statement<StaffSession, { id: number }>(
  'staff_sessions_open',
  `SELECT id, address, browser, began_at AS "beganAt", last_seen_at AS "lastSeenAt" FROM staff_sessions
    WHERE staff_id = :id AND ended_at IS NULL AND last_seen_at > now() - ${LIVES} ORDER BY last_seen_at DESC`
)

/** Where somebody, by e-mail or id, has been signed in lately. */
export const listKnownAddresses = statement<
  { address: string },
  { email: string | null; accountId: number | null }
>(
  'staff_known_addresses',
  `SELECT DISTINCT address FROM staff_sessions JOIN staff ON staff.id = staff_id
    WHERE (lower(email) = lower(:email) OR staff.id = :accountId) AND last_seen_at > now() - interval '30 days'`
)

/** One session, or with null all of them, but never the one that is kept. */
export const endSessions = statement<
  { id: string },
  { id: number; sessionId: string | null; exceptSessionId: string | null }
>(
  'staff_sessions_end',
  `UPDATE staff_sessions SET ended_at = clock_timestamp()
    WHERE staff_id = :id AND ended_at IS NULL AND (:sessionId::uuid IS NULL OR id = :sessionId) AND id IS DISTINCT FROM :exceptSessionId::uuid
   RETURNING id`
)

/** Sign-out: just this one. */
export const endSession = statement<object, { id: string }>(
  'staff_session_end',
  'UPDATE staff_sessions SET ended_at = clock_timestamp() WHERE id = :id AND ended_at IS NULL'
)
