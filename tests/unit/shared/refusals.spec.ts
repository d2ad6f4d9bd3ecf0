import { REFUSALS, Refusal, refuse, refuseField } from '#shared/refusals'
import { test } from '@japa/runner'

/** Contract, Errors; completions, Order of checks; the gate. By hand. */
// prettier-ignore
const STATUS_OF: Record<string, number> = {
  INVALID_API_KEY: 401, INVALID_SIGNATURE: 401, ACCESS_DENIED: 403, PARTNER_DISABLED: 403,
  EVENT_NOT_FOUND: 404, ORDER_NOT_FOUND: 404,
  SEATS_NOT_AVAILABLE: 409, SALES_PAUSED: 409, SALES_NOT_OPEN: 409, BOOKING_LIMIT_EXCEEDED: 409,
  IDEMPOTENCY_CONFLICT: 409, BOOKING_EXPIRED: 409, BOOKING_NOT_FOUND: 409,
  BOOKING_ALREADY_CONFIRMED: 409, ORDER_EXPIRED: 409, ORDER_CANCELLED: 409, EVENT_CANCELLED: 409,
  ORDER_NOT_CANCELLABLE: 409, TICKET_NOT_REFUNDABLE: 409,
  INVALID_PARAMETERS: 422, SEATS_UNKNOWN: 422,
  RATE_LIMIT_EXCEEDED: 429, PENDING_LIMIT_EXCEEDED: 429,
  // What the contract leaves open.
  UNSUPPORTED_MEDIA_TYPE: 415, PAYLOAD_TOO_LARGE: 413, NOT_FOUND: 404, METHOD_NOT_ALLOWED: 405,
  INTERNAL_ERROR: 500, SERVICE_BUSY: 503,
  // The gate.
  QR_INVALID: 422, TICKET_WRONG_EVENT: 409, TICKET_ALREADY_USED: 409, TICKET_VOID: 409,
  TICKET_EXPIRED: 409, INVALID_GATE_KEY: 401,
}

test.group('Refusals', () => {
  for (const [code, status] of Object.entries(STATUS_OF)) {
    test(`${code} is ${status} with a message`, ({ assert }) => {
      const row = (REFUSALS as Record<string, { status: number; message: string }>)[code]
      assert.equal(row?.status, status)
      assert.match(row.message, /^[A-Z].{8,}[^.]$/)
    })
  }

  test('has the code, the details and the status of its row', ({ assert }) => {
    const refusal = refusalOf(() => refuse('SEATS_UNKNOWN', { seats: ['seat-1'] }))
    assert.equal(refusal.refusalCode, 'SEATS_UNKNOWN')
    assert.equal(refusal.status, 422)
    assert.deepEqual(refusal.details, { seats: ['seat-1'] })
  })

  test('has empty details by default', ({ assert }) => {
    assert.deepEqual(refusalOf(() => refuse('SALES_PAUSED')).details, {})
  })

  test('one invalid parameter is INVALID_PARAMETERS with its field', ({ assert }) => {
    const refusal = refusalOf(() => refuseField('sector', 'exists', 'No such', { sector: 'x' }))
    assert.equal(refusal.refusalCode, 'INVALID_PARAMETERS')
    assert.deepEqual(refusal.details, {
      fields: [{ field: 'sector', rule: 'exists', message: 'No such' }],
      sector: 'x',
    })
  })
})

function refusalOf(act: () => never): Refusal {
  try {
    return act()
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}
