import type { Answer } from '#tests/support/partner_client'
import assert from 'node:assert/strict'

/** Contract, Errors: the status of each code, written down once more so that the product's own table can't be wrong alone. */
// prettier-ignore
export const STATUS_OF = {
  INVALID_API_KEY: 401, INVALID_SIGNATURE: 401,
  ACCESS_DENIED: 403, PARTNER_DISABLED: 403,
  NOT_FOUND: 404, EVENT_NOT_FOUND: 404, ORDER_NOT_FOUND: 404, METHOD_NOT_ALLOWED: 405,
  SEATS_NOT_AVAILABLE: 409, SALES_PAUSED: 409, SALES_NOT_OPEN: 409, BOOKING_LIMIT_EXCEEDED: 409,
  IDEMPOTENCY_CONFLICT: 409, BOOKING_EXPIRED: 409, BOOKING_NOT_FOUND: 409,
  BOOKING_ALREADY_CONFIRMED: 409, ORDER_EXPIRED: 409, ORDER_CANCELLED: 409, EVENT_CANCELLED: 409,
  ORDER_NOT_CANCELLABLE: 409, TICKET_NOT_REFUNDABLE: 409,
  PAYLOAD_TOO_LARGE: 413, UNSUPPORTED_MEDIA_TYPE: 415,
  INVALID_PARAMETERS: 422, SEATS_UNKNOWN: 422,
  RATE_LIMIT_EXCEEDED: 429, PENDING_LIMIT_EXCEEDED: 429,
  SERVICE_BUSY: 503,
} as const
export type Code = keyof typeof STATUS_OF

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** The error envelope with this code and no other field. */
export function assertCode({ status, json, headers, text }: Answer, code: Code) {
  assert.equal(json?.error?.code, code, `expected ${code}, got ${status} ${text.slice(0, 400)}`)
  assert.equal(status, STATUS_OF[code])
  assert.deepEqual(Object.keys(json), ['error'])
  assert.deepEqual(Object.keys(json.error).sort(), ['code', 'details', 'message'])
  assert.match(headers.get('content-type') ?? '', /^application\/json/)
  assert.match(headers.get('x-request-id') ?? '', UUID)
  if (status === 401)
    assert.match(headers.get('www-authenticate') ?? '', /^(HMAC-SHA256|Gate-Key) /)
  assertNoInsides(text)
}

/** The code with exactly these details, by default none. */
export function assertRefused(answer: Answer, code: Code, details: object = {}) {
  assertCode(answer, code)
  assert.deepEqual(answer.error.details, details)
}

/** INVALID_PARAMETERS about exactly these fields, each with a rule and a message in words. */
export function assertInvalid(answer: Answer, ...fields: string[]) {
  assertCode(answer, 'INVALID_PARAMETERS')
  const problems = answer.error.details.fields as Record<string, string>[]
  assert.deepEqual([...new Set(problems.map(({ field }) => field))].sort(), [...fields].sort())
  for (const { rule, message } of problems) {
    assert.match(rule, /^[A-Za-z_]+$/)
    assert.match(message, /^[A-Z].* /)
    assert.doesNotMatch(message, /\{\{|undefined|\[object|The \d+ field|^The value/)
  }
}

/** No stack, no SQL, no file of ours in what a stranger reads. */
export function assertNoInsides(text: string) {
  assert.doesNotMatch(text, /node_modules|\.ts:\d|\bSELECT\b|\bINSERT\b|event_seats|relation "/)
}

export function assertLimitHeaders({ headers }: Answer, limit?: number) {
  for (const name of ['limit', 'remaining', 'reset']) {
    assert.match(headers.get(`x-ratelimit-${name}`) ?? 'absent', /^\d+$/, name)
  }
  if (limit !== undefined) assert.equal(headers.get('x-ratelimit-limit'), String(limit))
}
