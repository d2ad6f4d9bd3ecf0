import {
  type AttemptKey,
  insertAttempt,
  recordAttemptAnswer,
} from '#sales/confirm_order/confirm_attempt'
import { dataOf, statusOf } from '#tests/support/answers'
import { cancelEvent, changeStatus, lapseOrder, suspend } from '#tests/support/circumstances'
import { assertCode, assertInvalid, assertRefused } from '#tests/support/expectations'
import { aPartner, book, grant, paymentOf, TESTER } from '#tests/support/fixtures'
import { anOrder, aPaidOrder, cancel, confirm, findOrder } from '#tests/support/operations'
import {
  attemptsAt,
  countAttempts,
  journalOf,
  one,
  ownerRows,
  rows,
  takenSeats,
} from '#tests/support/rows'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { createPublicKey, randomUUID, verify } from 'node:crypto'

const HELD = ['seat-2-1 held', 'seat-2-2 held']
const SOLD = ['seat-2-1 sold', 'seat-2-2 sold']

const countTickets = async (orderId: string) => {
  const { n } = await one('SELECT count(*)::int AS n FROM tickets WHERE order_id = ?', orderId)
  return n as number
}
const storedStatus = async (orderId: string) => {
  const { stored_status: status } = await one('SELECT * FROM orders WHERE id = ?', orderId)
  return status as string
}
const lastAttempt = async (orderId: string) => {
  const attempts = await attemptsAt(orderId)
  return attempts.at(-1)!
}

test.group('POST /orders/{order_id}/confirm', () => {
  test('the exact amount within the window: paid, with a ticket per seat', async ({ assert }) => {
    const { client, event, order } = await anOrder()

    const { status, data } = await confirm(client, order.order_id)

    assert.deepEqual([status, data.status, data.expires_at], [200, 'paid', null])
    const places = data.tickets.map((ticket: any) => [ticket.space_id, ticket.price_tenge])
    assert.deepEqual(places, [
      ['seat-2-1', 12_000],
      ['seat-2-2', 12_000],
    ])
    assert.containsSubset(data.tickets[0], { status: 'active', row_label: '2', seat_label: '1' })
    assert.match(data.tickets[0].number, /^TIX-TKT-\d{6,}$/)
    assert.deepEqual(await takenSeats(event), SOLD)
    assert.deepEqual(await journalOf('order_id', data.order_id), [
      'order_placed',
      'order_confirmed',
    ])
  })

  test('each token has 530 to 560 ASCII characters and is verified by the public key alone', async ({
    assert,
  }) => {
    const { client, event, order } = await aPaidOrder()
    const { json } = await client.get(`/events/${event.id}/jwks.json`)

    for (const { qr_token: token, ticket_id: id } of order.tickets) {
      assert.match(token, /^[\w-]+\.[\w-]+\.[\w-]+$/)
      assert.isTrue(token.length >= 530 && token.length <= 560, String(token.length))
      const [head, claims, signature] = token.split('.')
      const { kid } = JSON.parse(Buffer.from(head, 'base64url').toString())
      const jwk = json.keys.find((key: { kid: string }) => key.kid === kid)
      const key = createPublicKey({ key: jwk, format: 'jwk' })
      const signed = Buffer.from(`${head}.${claims}`)
      const bytes = Buffer.from(signature, 'base64url')
      assert.isTrue(verify('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, bytes))
      assert.equal(JSON.parse(Buffer.from(claims, 'base64url').toString()).sub, id)
    }
  })

  test('stores the payment and keeps the end of the payment window', async ({ assert }) => {
    const { client, order } = await anOrder()
    const payment = {
      paid_at: '2026-09-18T19:40:35+05:00',
      external_payment_id: 'acq-1',
      method: 'card',
    }

    const { data } = await confirm(client, order.order_id, paymentOf(24_000, payment))

    assert.deepEqual(data.payment_info, { amount_tenge: 24_000, currency: 'KZT', ...payment })
    const stored = await one('SELECT * FROM orders WHERE id = ?', order.order_id)
    assert.equal(stored.window_ends_at.getTime(), Date.parse(order.expires_at))
    assert.equal(stored.payment_paid_at_raw, payment.paid_at)
  })

  test('another currency is refused, and the answer names KZT', async ({ assert }) => {
    const { client, order } = await anOrder()
    const { error } = await confirm(client, order.order_id, paymentOf(24_000, { currency: 'USD' }))
    const [field] = error.details.fields
    assert.deepEqual(field, {
      field: 'payment_info.currency',
      rule: 'enum',
      message: 'The payment_info.currency field must be one of KZT',
    })
  })

  test('currency defaults to KZT, and method may be omitted', async ({ assert }) => {
    const { client, order } = await anOrder()
    const { data } = await confirm(client, order.order_id)
    assert.deepEqual([data.payment_info.currency, data.payment_info.method], ['KZT', null])
  })

  test('a repeat answers 200 with the same tickets and the first payment', async ({ assert }) => {
    const { client, order } = await anOrder()
    const first = await confirm(client, order.order_id)

    const repeat = await confirm(client, order.order_id, paymentOf(24_000, { method: 'other' }))

    assert.deepEqual([repeat.status, repeat.data], [200, first.data])
    assert.equal(await countTickets(order.order_id), 2)
  })

  test('a repeat with another amount answers 200 as well', async ({ assert }) => {
    const { client, order } = await aPaidOrder()
    const repeat = await confirm(client, order.order_id, paymentOf(1))
    assert.deepEqual([repeat.status, repeat.data], [200, order])
  })

  test('ten simultaneous confirms sell once', async ({ assert }) => {
    const { client, order } = await anOrder()

    const answers = await Promise.all(
      Array.from({ length: 10 }, () => confirm(client, order.order_id))
    )

    answers.forEach(({ status }) => assert.equal(status, 200))
    assert.equal(new Set(answers.map(({ text }) => text)).size, 1)
    assert.equal(await countTickets(order.order_id), 2)
    assert.lengthOf(await attemptsAt(order.order_id), 10)
  })

  test('a repeat is answered after the event has begun', async ({ assert }) => {
    const { client, event, order } = await aPaidOrder()
    await ownerRows(
      `UPDATE events SET starts_at = now() - interval '1 minute' WHERE id = ?`,
      event.id
    )
    assert.equal(statusOf(await confirm(client, order.order_id)), 200)
  })

  test('a suspended partner without a grant can confirm its order while sales are paused', async ({
    assert,
  }) => {
    const { client, event, partner, order } = await anOrder()
    await grant(partner, event, 'revoked')
    await suspend(partner)
    await changeStatus(event, 'pause')
    assert.equal(dataOf(await confirm(client, order.order_id)).status, 'paid')
  })

  test('after the window: no tickets, the seats stay free', async ({ assert }) => {
    const { client, event, order } = await anOrder()
    await lapseOrder(order.order_id)
    assertRefused(await confirm(client, order.order_id), 'ORDER_EXPIRED')
    assert.equal(await countTickets(order.order_id), 0)
    assert.deepEqual(await takenSeats(event), [])
  })

  test('the time of arrival counts: a confirm that waits for a lock past the end is paid', async ({
    assert,
  }) => {
    const { client, event, order } = await anOrder({ settings: { paymentWindowSeconds: 1 } })
    const trx = await db.transaction()
    await trx.rawQuery('SELECT 1 FROM orders WHERE id = ? FOR UPDATE', [order.order_id])
    const waiting = confirm(client, order.order_id)
    await new Promise((resolve) => setTimeout(resolve, 1300))
    await trx.rollback()

    assert.equal(dataOf(await waiting)?.status, 'paid')
    assert.deepEqual(await takenSeats(event), SOLD)
  })

  test('an expired order is refused as expired, whatever was paid and became of its event', async ({
    assert,
  }) => {
    const { client, event, order } = await anOrder()
    await lapseOrder(order.order_id)
    const otherAmount = paymentOf(1)
    assertRefused(await confirm(client, order.order_id, otherAmount), 'ORDER_EXPIRED')
    await cancelEvent(event)
    assertRefused(await confirm(client, order.order_id), 'ORDER_EXPIRED')
    assert.deepEqual(await takenSeats(event), [])
  })

  test('an expired order does not take back a seat sold to another buyer', async ({ assert }) => {
    const { client, event, order } = await anOrder()
    await lapseOrder(order.order_id)
    const rival = await aPartner()
    await grant(rival, event)
    await book(rival.client, event.id, ['seat-2-2'])

    assertRefused(await confirm(client, order.order_id), 'ORDER_EXPIRED')
    assert.deepEqual(await takenSeats(event), ['seat-2-2 held'])
  })

  test('a cancelled order is refused', async ({ assert }) => {
    const { client, event, order } = await anOrder()
    await cancel(client, order.order_id)
    assertRefused(await confirm(client, order.order_id), 'ORDER_CANCELLED')
    assert.equal(await countTickets(order.order_id), 0)
    assert.deepEqual(await takenSeats(event), [])
  })

  test('an order of an event cancelled before the payment is refused', async ({ assert }) => {
    const { client, event, order } = await anOrder()
    await cancelEvent(event)
    assertRefused(await confirm(client, order.order_id), 'EVENT_CANCELLED')
    assert.equal(await storedStatus(order.order_id), 'pending')
    assert.equal(await countTickets(order.order_id), 0)
  })

  for (const amount of [24_001, 23_999, 0, 25_200]) {
    test(`${amount} instead of 24000: refused with both amounts, still pending`, async ({
      assert,
    }) => {
      const { client, event, order } = await anOrder()

      const answer = await confirm(client, order.order_id, paymentOf(amount))

      assertInvalid(answer, 'payment_info.amount_tenge')
      const { amount_tenge: received, total_tenge: expected } = answer.error.details
      assert.deepEqual([received, expected], [amount, 24_000])
      assert.equal(await storedStatus(order.order_id), 'pending')
      assert.deepEqual(await takenSeats(event), HELD)
    })
  }

  test('a retry with the right amount is allowed while the window runs', async ({ assert }) => {
    const { client, order } = await anOrder()
    await confirm(client, order.order_id, paymentOf(1))
    assert.equal(dataOf(await confirm(client, order.order_id)).status, 'paid')
  })

  test('a body without payment_info is invalid', async ({ assert }) => {
    const { client, order } = await anOrder()
    assertInvalid(await confirm(client, order.order_id, {}), 'payment_info')
    assert.equal(await storedStatus(order.order_id), 'pending')
  })

  for (const orderId of [
    'TIX-2026-999999999',
    'nonsense',
    'TIX-2026-1',
    '%D0%B7%D0%B0%D0%BA%D0%B0%D0%B7',
  ]) {
    test(`no such order: ${orderId}`, async () => {
      const { client } = await aPartner()
      assertRefused(await confirm(client, orderId), 'ORDER_NOT_FOUND')
    })
  }

  test("another partner's order does not exist", async ({ assert }) => {
    const { order } = await anOrder()
    const { client } = await aPartner()
    assertRefused(await confirm(client, order.order_id), 'ORDER_NOT_FOUND')
    assert.equal(await storedStatus(order.order_id), 'pending')
    const attempt = await lastAttempt(order.order_id)
    assert.containsSubset(attempt, { order_status: null, window_ends_at: null })
  })
})

test.group('POST /orders/{order_id}/confirm, evidence', () => {
  test('a paid confirm leaves a row with everything that was sent', async ({ assert }) => {
    const { client, partner, order } = await anOrder()
    const sent = {
      paid_at: '2026-09-18T19:40:35+05:00',
      external_payment_id: 'acq-7',
      method: 'card',
    }
    const timestamp = String(Math.floor(Date.now() / 1000))

    const body = paymentOf(24_000, sent)
    const answer = await client.post(`/orders/${order.order_id}/confirm`, body, { timestamp })

    const attempt = await lastAttempt(order.order_id)
    assert.containsSubset(attempt, {
      partner_id: partner.id,
      request_id: answer.headers.get('x-request-id'),
      timestamp_sent: timestamp,
      signature_valid: true,
      http_status: 200,
      code: null,
      order_status: 'paid',
      amount_raw: '24000',
      paid_at_raw: sent.paid_at,
      paid_at_precision: 'second',
      external_payment_id: 'acq-7',
      currency: 'KZT',
      method: 'card',
    })
    assert.equal(attempt.amount_tenge, 24_000n)
    assert.equal(attempt.paid_at.toISOString(), '2026-09-18T14:40:35.000Z')
    assert.equal(attempt.window_ends_at.getTime(), Date.parse(order.expires_at))
    assert.closeTo(attempt.received_at.getTime(), Date.now(), 2000)
  })

  test('a repeat is recorded too, with its own payment', async ({ assert }) => {
    const { client, order } = await aPaidOrder()
    await confirm(client, order.order_id, paymentOf(24_000, { external_payment_id: 'second' }))
    const attempt = await lastAttempt(order.order_id)
    assert.containsSubset(attempt, { http_status: 200, code: null, external_payment_id: 'second' })
    assert.isTrue(attempt.names_other_payment)
  })

  test('a repeat with the same payment names no other one', async ({ assert }) => {
    const { client, order } = await anOrder()
    const payment = paymentOf(24_000)
    await confirm(client, order.order_id, payment)
    await confirm(client, order.order_id, payment)
    const attempt = await lastAttempt(order.order_id)
    assert.isFalse(attempt.names_other_payment)
  })

  test('an answer that is recorded after the window has the status at the arrival', async ({
    assert,
  }) => {
    const { partner, order } = await anOrder()
    const orderId = order.order_id as string
    const received = {
      partnerId: partner.id,
      actor: { ...TESTER, requestId: randomUUID() },
      orderId,
      timestampSent: null,
      arrivedAt: performance.now(),
      paymentInfo: paymentOf(5).payment_info,
    }
    const attempted = await insertAttempt(received, true)
    await ownerRows('UPDATE orders SET window_ends_at = clock_timestamp() WHERE id = ?', orderId)
    await recordAttemptAnswer(attempted, received, { status: 503, code: 'SERVICE_BUSY' })
    const attempt = await lastAttempt(orderId)
    assert.equal(attempt.order_status, 'pending')
  })

  const refusals = {
    ORDER_EXPIRED: { status: 409, state: 'expired', change: (id: string) => lapseOrder(id) },
    ORDER_CANCELLED: {
      status: 409,
      state: 'cancelled',
      change: (id: string, client: Parameters<typeof cancel>[0]) => cancel(client, id),
    },
    EVENT_CANCELLED: {
      status: 409,
      state: 'pending',
      change: (_id: string, _client: unknown, event: { id: string }) => cancelEvent(event),
    },
  }
  for (const [code, { status, state, change }] of Object.entries(refusals)) {
    test(`${code} leaves a row`, async ({ assert }) => {
      const { client, event, order } = await anOrder()
      await change(order.order_id, client, event)
      await confirm(client, order.order_id)
      const attempt = await lastAttempt(order.order_id)
      assert.containsSubset(attempt, { http_status: status, code, order_status: state })
      assert.isNotNull(attempt.window_ends_at)
    })
  }

  test('a wrong amount leaves a row', async ({ assert }) => {
    const { client, order } = await anOrder()
    await confirm(client, order.order_id, paymentOf(5))
    const attempt = await lastAttempt(order.order_id)
    assert.containsSubset(attempt, {
      http_status: 422,
      code: 'INVALID_PARAMETERS',
      amount_raw: '5',
    })
  })

  for (const [amount, raw] of [
    ['24000', '24000'],
    [240.5, '240.5'],
    [1e20, '100000000000000000000'],
    [[1], '[1]'],
    [{ a: 1 }, '{"a":1}'],
  ] as const) {
    test(`amount ${JSON.stringify(amount)} is kept as sent`, async ({ assert }) => {
      const { client, order } = await anOrder()
      await confirm(client, order.order_id, paymentOf(0, { amount_tenge: amount }))
      const attempt = await lastAttempt(order.order_id)
      assert.containsSubset(attempt, { http_status: 422, amount_raw: raw, amount_tenge: null })
    })
  }

  test('an incomplete payment_info leaves a row', async ({ assert }) => {
    const { client, order } = await anOrder()
    await confirm(client, order.order_id, { payment_info: { external_payment_id: 'acq-9' } })
    const attempt = await lastAttempt(order.order_id)
    assert.containsSubset(attempt, {
      http_status: 422,
      external_payment_id: 'acq-9',
      paid_at: null,
    })
  })

  test('a payment id cut within a surrogate pair leaves a row', async ({ assert }) => {
    const { client, order } = await anOrder()
    const id = `${'a'.repeat(199)}\u{1F600}`
    const refused = await confirm(
      client,
      order.order_id,
      paymentOf(24_000, { external_payment_id: id })
    )
    assert.equal(refused.status, 422)
    const attempt = await lastAttempt(order.order_id)
    assert.equal(attempt.external_payment_id, `${'a'.repeat(199)}\u{FFFD}`)
  })

  test('an unknown order leaves a row', async ({ assert }) => {
    const { client, id } = await aPartner()
    await confirm(client, 'TIX-2026-999999998')
    const [attempt] = await rows('SELECT * FROM confirm_attempts WHERE partner_id = ?', id)
    assert.containsSubset(attempt, {
      http_status: 404,
      code: 'ORDER_NOT_FOUND',
      order_status: null,
    })
  })

  test('a throttled confirm leaves a row', async ({ assert }) => {
    const { client, partner, order } = await anOrder()
    await ownerRows('UPDATE partners SET requests_per_minute = 1 WHERE id = ?', partner.id)
    assertCode(await confirm(client, order.order_id), 'RATE_LIMIT_EXCEEDED')
    const attempt = await lastAttempt(order.order_id)
    assert.containsSubset(attempt, { http_status: 429, code: 'RATE_LIMIT_EXCEEDED' })
    assert.containsSubset(attempt, { order_status: 'pending', signature_valid: true })
  })

  test('a wrongly signed confirm with a known key leaves a row', async ({ assert }) => {
    const { client, order } = await anOrder()
    const path = `/orders/${order.order_id}/confirm`
    const answer = await client.post(path, paymentOf(24_000), { signature: '0'.repeat(64) })
    assertCode(answer, 'INVALID_SIGNATURE')
    const attempt = await lastAttempt(order.order_id)
    assert.containsSubset(attempt, { http_status: 401, code: 'INVALID_SIGNATURE' })
    assert.isFalse(attempt.signature_valid)
  })

  test('a confirm of the wrong content type leaves a row', async ({ assert }) => {
    const { client, order } = await anOrder()
    const headers = { 'Content-Type': 'text/plain' }
    await client.post(`/orders/${order.order_id}/confirm`, paymentOf(24_000), { headers })
    assert.containsSubset(await lastAttempt(order.order_id), { http_status: 415 })
  })

  test('a confirm without payment_info leaves none', async ({ assert }) => {
    const { client, partner, order } = await anOrder()
    await confirm(client, order.order_id, { payment: paymentOf(24_000) })
    assert.equal(await countAttempts(partner), 0)
  })

  for (const [paidAt, precision, at] of [
    ['2026-09-18T19:40+05:00', 'minute', '2026-09-18T14:40:00.000Z'],
    ['2026-09-18T19:40:35.123456+05:00', 'subsecond', '2026-09-18T14:40:35.123Z'],
    ['2026-09-18T20:25:35+05:45', 'second', '2026-09-18T14:40:35.000Z'],
    ['2026-09-18T09:40:35-05:00', 'second', '2026-09-18T14:40:35.000Z'],
    ['2026-09-18T14:40:35Z', 'second', '2026-09-18T14:40:35.000Z'],
  ]) {
    test(`paid_at ${paidAt} is kept as sent, with its precision`, async ({ assert }) => {
      const { client, order } = await anOrder()
      const { status, data } = await confirm(
        client,
        order.order_id,
        paymentOf(24_000, { paid_at: paidAt })
      )
      assert.equal(status, 200)
      assert.equal(new Date(data.payment_info.paid_at).toISOString(), at)
      const attempt = await lastAttempt(order.order_id)
      assert.containsSubset(attempt, { paid_at_raw: paidAt, paid_at_precision: precision })
      assert.equal(attempt.paid_at.toISOString(), at)
    })
  }

  for (const paidAt of [
    '2026-02-30T10:00:00+05:00',
    '2026-09-18T19:40:35',
    '1789742435',
    'вчера',
    '2026-09-18',
    '1969-12-31T23:59:59Z',
    '9999-12-31T23:59:59Z',
  ]) {
    test(`paid_at ${paidAt} is refused and kept as sent`, async ({ assert }) => {
      const { client, order } = await anOrder()
      const answer = await confirm(client, order.order_id, paymentOf(24_000, { paid_at: paidAt }))
      assertInvalid(answer, 'payment_info.paid_at')
      const attempt = await lastAttempt(order.order_id)
      assert.containsSubset(attempt, { http_status: 422, paid_at_raw: paidAt, paid_at: null })
    })
  }

  test('rows of evidence cannot be deleted', async ({ assert }) => {
    const { order } = await aPaidOrder()
    await assert.rejects(
      () => ownerRows('DELETE FROM confirm_attempts WHERE order_id_sent = ?', order.order_id),
      /not allowed/
    )
  })

  test('an answer is written once', async ({ assert }) => {
    const { order } = await aPaidOrder()
    const before = await lastAttempt(order.order_id)
    const { attemptId, receivedAt } = (await one(
      `SELECT id AS "attemptId", received_at::text AS "receivedAt" FROM confirm_attempts WHERE order_id_sent = ?`,
      order.order_id
    )) as AttemptKey
    const about = { orderId: order.order_id, partnerId: before.partner_id }
    await recordAttemptAnswer({ attemptId, receivedAt }, about, {
      status: 503,
      code: 'SERVICE_BUSY',
    })
    assert.deepEqual(await lastAttempt(order.order_id), before)
    // As the application: its role may set these columns.
    await assert.rejects(
      () => rows('UPDATE confirm_attempts SET http_status = 409 WHERE id = ?', attemptId),
      /not allowed/
    )
    await assert.rejects(
      () => rows(`UPDATE confirm_attempts SET amount_raw = '[erased]' WHERE id = ?`, attemptId),
      /not allowed/
    )
  })

  test('tickets and links are the same at every read', async ({ assert }) => {
    const { client, order } = await aPaidOrder()
    const { data } = await findOrder(client, order.partner_order_id)
    assert.deepEqual(data, order)
  })
})
