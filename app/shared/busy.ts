import { ANSWER_OVERDUE } from '#shared/answer_deadline'

/** SQLSTATE classes and codes after which the same request may succeed: lock and statement time-outs, deadlock, shutdown, connection. */
const BUSY_STATES = /^(55P03|57014|40P01|40001|57P0[1-4]|53\w{3}|08\w{3}|25006)$/
const BUSY_CODES = [
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  ANSWER_OVERDUE,
]
const BUSY_MESSAGES =
  /Connection terminated|timeout acquiring a connection|^timeout expired$|Connection ended|Client was closed|not queryable/i
/** Of Redis, which holds the sessions of staff. */
const BUSY_REDIS =
  /^(Connection is closed|Command timed out|Reached the max retries per request|Stream isn't writeable)/

/** Why PostgreSQL or Redis could not serve the request just now, or null when the fault lies elsewhere. */
export function busyReason(error: unknown): string | null {
  const { code = '', message = '' } = (error ?? {}) as { code?: string; message?: string }
  if (BUSY_STATES.test(code) || BUSY_CODES.includes(code)) return code
  return BUSY_MESSAGES.test(message) || BUSY_REDIS.test(message) ? message : null
}
