import { assertCode, assertInvalid } from '#tests/support/expectations'
import { aBooking, anOrder, aPaidOrder, bookingBody, orderBody } from '#tests/support/operations'
import type { Answer, PartnerClient } from '#tests/support/partner_client'
import { attemptsAt, ownerRows } from '#tests/support/rows'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'

const LIMIT_BYTES = 64 * 1024
const DEPTHS = [300, 5_000, 30_000]

const list = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
const object = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`

/** Deep lists and objects as JSON text: to build them as values would meet the same limits as the server. */
const deepValues = (room: number): [name: string, json: string][] => [
  ...DEPTHS.map((depth): [string, string] => [`a list ${depth} deep`, list(depth)]),
  ['an object 8,000 deep', object(8_000)],
  [
    'lists and objects up to the limit',
    `${'[{"a":'.repeat(Math.floor(room / 8))}1${'}]'.repeat(Math.floor(room / 8))}`,
  ],
]

/** What else a partner's serialiser may write that ours would not. */
const ODD_VALUES: [name: string, json: string, kept: string | null][] = [
  ['a number beyond all numbers', '1e400', 'Infinity'],
  [
    'a number with more digits than fit',
    '123456789012345678901234567890',
    '1.2345678901234568e+29',
  ],
  ['a NUL', '"a\\u0000b"', 'a\uFFFDb'],
  ['half of a letter', '"a\\ud83c"', 'a\uFFFD'],
  ['a key named __proto__', '{"__proto__":{"toJSON":1}}', '{"__proto__":{"toJSON":1}}'],
  ['a key given twice', '{"a":1,"a":2}', '{"a":2}'],
  ['a wide list', `[${'1,'.repeat(20_000)}1]`, `[${'1,'.repeat(20_000)}1]`.slice(0, 200)],
]

/** The body with the text in the place of the string "HERE". */
const withJson = (body: object, json: string) => JSON.stringify(body).replace('"HERE"', json)

const WRONG = { signature: '0'.repeat(64) }
const FIELDS = ['amount_tenge', 'paid_at', 'external_payment_id', 'currency', 'method'] as const
const COLUMNS = {
  amount_tenge: 'amount_raw',
  paid_at: 'paid_at_raw',
  external_payment_id: 'external_payment_id',
  currency: 'currency',
  method: 'method',
} as const

const paymentWith = (field: string, json: string) =>
  withJson(
    {
      payment_info: {
        amount_tenge: 24_000,
        paid_at: '2026-12-01T12:00:00+05:00',
        external_payment_id: 'pay-1',
        currency: 'KZT',
        method: 'card',
        [field]: 'HERE',
      },
    },
    json
  )

const confirmWith = (client: PartnerClient, orderId: string, body: string, overrides = {}) =>
  client.post(`/orders/${orderId}/confirm`, body, overrides)

test.group('Confirms with deeply nested bodies', () => {
  for (const field of FIELDS) {
    test(`${field}: 422 when signed, 401 when not, and both are recorded`, async ({ assert }) => {
      const { client, order } = await anOrder()
      for (const [name, json] of deepValues(60_000)) {
        const body = paymentWith(field, json)
        assert.isAtMost(Buffer.byteLength(body), LIMIT_BYTES)

        const forged = await confirmWith(client, order.order_id, body, WRONG)
        assertCode(forged, 'INVALID_SIGNATURE')
        const signed = await confirmWith(client, order.order_id, body)
        assertInvalid(signed, `payment_info.${field}`)

        const attempts = await attemptsAt(order.order_id)
        const [first, second] = attempts.slice(-2)
        assert.containsSubset(first, { http_status: 401, signature_valid: false }, name)
        assert.containsSubset(second, { http_status: 422, signature_valid: true }, name)
        for (const attempt of [first, second]) {
          assert.equal(attempt[COLUMNS[field]], json.slice(0, 200), name)
        }
      }
      assert.lengthOf(await attemptsAt(order.order_id), 2 * deepValues(60_000).length)
    })
  }

  for (const [name, json, kept] of ODD_VALUES) {
    test(`${name} is refused and its beginning is recorded`, async ({ assert }) => {
      const { client, order } = await anOrder()
      const body = paymentWith('amount_tenge', json)
      assertCode(await confirmWith(client, order.order_id, body, WRONG), 'INVALID_SIGNATURE')
      assertInvalid(await confirmWith(client, order.order_id, body), 'payment_info.amount_tenge')
      for (const attempt of await attemptsAt(order.order_id)) {
        assert.equal(attempt.amount_raw, kept)
        assert.isNull(attempt.amount_tenge)
      }
    })
  }

  test('a payment_info inherited by __proto__ does not count', async ({ assert }) => {
    const { client, order } = await anOrder()
    const body = `{"__proto__":${paymentWith('method', '"card"')}}`
    assertInvalid(await confirmWith(client, order.order_id, body), 'payment_info')
    assert.isEmpty(await attemptsAt(order.order_id))
  })
})

/** While another connection keeps every write to the table of attempts waiting. */
async function whileAttemptsAreLocked<Result>(work: () => Promise<Result>): Promise<Result> {
  const trx = await db.connection('owner').transaction()
  try {
    await trx.rawQuery('LOCK TABLE confirm_attempts IN SHARE MODE')
    return await work()
  } finally {
    await trx.rollback()
  }
}

test.group('Confirms that cannot be recorded', () => {
  test('a wrong signature is still answered 401', async ({ assert }) => {
    const { client, order } = await anOrder()
    const body = paymentWith('method', '"card"')
    const answer = await whileAttemptsAreLocked(() =>
      confirmWith(client, order.order_id, body, WRONG)
    )
    assertCode(answer, 'INVALID_SIGNATURE')
    assert.isEmpty(await attemptsAt(order.order_id))
  })

  test('an unreadable body is still answered 422', async ({ assert }) => {
    const { client, order } = await anOrder()
    const body = paymentWith('amount_tenge', '-1')
    await ownerRows(`
      CREATE FUNCTION tests_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'not now' USING ERRCODE = 'lock_not_available'; END $$;
      CREATE TRIGGER tests_refuse BEFORE UPDATE ON confirm_attempts FOR EACH ROW EXECUTE FUNCTION tests_refuse();`)
    try {
      assertInvalid(await confirmWith(client, order.order_id, body), 'payment_info.amount_tenge')
    } finally {
      await ownerRows('DROP TRIGGER tests_refuse ON confirm_attempts; DROP FUNCTION tests_refuse')
    }
    const [attempt] = await attemptsAt(order.order_id)
    assert.containsSubset(attempt, { http_status: null, amount_raw: '-1' })
  })
})

type Prepared = { send: (json: string) => Promise<Answer>; field: string }

const places: Record<string, () => Promise<Prepared>> = {
  'the seats of a booking': async () => {
    const { client, event } = await aBooking()
    const body = bookingBody(event.id, { seats: 'HERE' })
    return { send: (json) => client.post('/bookings', withJson(body, json)), field: 'seats' }
  },
  'the customer of a booking': async () => {
    const { client, event } = await aBooking()
    const body = bookingBody(event.id, { seats: ['seat-1-1'], customer: { name: 'HERE' } })
    const send = (json: string) => client.post('/bookings', withJson(body, json))
    return { send, field: 'customer.name' }
  },
  'the customer of an order': async () => {
    const { client, booking } = await aBooking()
    const body = { ...orderBody(booking.booking_id), customer: { email: 'HERE' } }
    const send = (json: string) => client.post('/orders', withJson(body, json))
    return { send, field: 'customer.email' }
  },
  'the consent of an order': async () => {
    const { client, booking } = await aBooking()
    const body = { ...orderBody(booking.booking_id), consent: 'HERE' }
    const send = (json: string) => client.post('/orders', withJson(body, json))
    return { send, field: 'consent' }
  },
  'the tickets of a refund': async () => {
    const { client, order } = await aPaidOrder()
    const path = `/orders/${order.order_id}/refund`
    const body = { ticket_ids: 'HERE', reason: 'no' }
    return { send: (json) => client.post(path, withJson(body, json)), field: 'ticket_ids' }
  },
  'the reason of a refund': async () => {
    const { client, order } = await aPaidOrder()
    const path = `/orders/${order.order_id}/refund`
    const body = { ticket_ids: [order.tickets[0].ticket_id], reason: 'HERE' }
    return { send: (json) => client.post(path, withJson(body, json)), field: 'reason' }
  },
}

test.group('Deep values in other places', () => {
  for (const [place, prepare] of Object.entries(places)) {
    test(`${place}: 422, however deep`, async ({ assert }) => {
      const { send, field } = await prepare()
      for (const [name, json] of deepValues(60_000)) {
        const answer = await send(json)
        assert.equal(answer.status, 422, `${name}: ${answer.text.slice(0, 300)}`)
        const [problem] = answer.error.details.fields as { field: string }[]
        assert.isTrue(`${problem.field}.`.startsWith(`${field}.`), `${name}: ${problem.field}`)
        assert.isBelow(answer.text.length, 4_096, name)
      }
    })
  }

  test('a deep value in an unknown field is ignored', async ({ assert }) => {
    const { client, event } = await aBooking()
    const body = bookingBody(event.id, { seats: ['seat-1-1'], extra: 'HERE' })
    const answer = await client.post('/bookings', withJson(body, list(30_000)))
    assert.equal(answer.status, 201)
  })

  test('thousands of invalid seats are one reported problem', async ({ assert }) => {
    const { client, event } = await aBooking()
    const body = bookingBody(event.id, { seats: 'HERE' })
    const answer = await client.post('/bookings', withJson(body, `[${'1,'.repeat(30_000)}1]`))
    assert.equal(answer.status, 422)
    assert.isBelow(answer.text.length, 4_096)
  })
})
