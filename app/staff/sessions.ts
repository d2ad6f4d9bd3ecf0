import { statement } from '#shared/statement'

export const beginSession = statement<
  { id: string },
  { staffId: number; address: string; browser: string }
>(
  'staff_session_begin',
  'INSERT INTO staff_sessions (staff_id, address, browser) VALUES (:staffId, :address, :browser) RETURNING id'
)

/** Records that the session is in use. */
export const touchSession = statement<object, { id: string; address: string }>(
  'staff_session_note',
  'UPDATE staff_sessions SET last_seen_at = clock_timestamp(), address = :address WHERE id = :id'
)

/** Ends one session of an account, or all of them when `sessionId` is null, but never `exceptSessionId`. */
export const endSessions = statement<
  { id: string },
  { id: number; sessionId: string | null; exceptSessionId: string | null }
>(
  'staff_sessions_end',
  `UPDATE staff_sessions SET ended_at = clock_timestamp()
    WHERE staff_id = :id AND ended_at IS NULL AND (:sessionId::uuid IS NULL OR id = :sessionId)
      AND id IS DISTINCT FROM :exceptSessionId::uuid
   RETURNING id`
)

/** Ends one session, at sign-out. */
export const endSession = statement<object, { id: string }>(
  'staff_session_end',
  'UPDATE staff_sessions SET ended_at = clock_timestamp() WHERE id = :id AND ended_at IS NULL'
)
