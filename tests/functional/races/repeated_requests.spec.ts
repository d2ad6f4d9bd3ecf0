import { closeSaleGate } from '#catalog/sale_gate'
import { book, paymentOf, uniqueKey } from '#tests/support/fixtures'
import type { Answer } from '#tests/support/partner_client'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { BIG_HALL_SEATS, aBigEvent } from './support/big_hall.js'
import { crowd, tally, together } from './support/crowd.js'
import { untilSomebodyWaits } from './support/gate_hold.js'
import { brokenRules } from './support/invariants.js'
import { aRival, orderBody, placeOrders } from './support/sales.js'
import { count, rows } from './support/sql.js'

const KEYS = Number(process.env.TWIN_KEYS ?? 200)
const TWINS = 10
const KEYS_AT_ONCE = 20

const keys = Array.from({ length: KEYS }, (_, index) => index)

/** Sends each key's request ten times at once, for many keys at the same time. */
const sendTwins = (send: (key: number) => Promise<Answer>) =>
  crowd(
    keys.map((key) => () => together(TWINS, () => send(key))),
    KEYS_AT_ONCE
  )

/** Counts distinct answers of a key, compared by the fields that a repeat leaves equal. */
const distinctAnswers = (answers: Answer[], pick: (data: any) => unknown) =>
  new Set(answers.map(({ data }) => JSON.stringify(pick(data)))).size

test.group('Simultaneous identical requests', () => {
  test(`${KEYS} keys × ${TWINS} bookings: one 201 per key, the others 200`, async ({ assert }) => {
    const event = await aBigEvent()
    const { client, id } = await aRival(event)
    const bodies = keys.map((key) => ({
      event_id: event.id,
      partner_booking_id: uniqueKey('b'),
      seats: [BIG_HALL_SEATS[key * 2], BIG_HALL_SEATS[key * 2 + 1]],
    }))

    const answers = await sendTwins((key) => client.post('/bookings', bodies[key]))

    assert.deepEqual(tally(answers.flat()), { 201: KEYS, 200: KEYS * (TWINS - 1) })
    for (const twins of answers) {
      assert.equal(tally(twins)[201], 1)
      assert.equal(
        distinctAnswers(twins, (data) => data),
        1
      )
    }
    assert.equal(await count('SELECT count(*) FROM bookings WHERE partner_id = $1', [id]), KEYS)
    assert.deepEqual(await brokenRules(event.id), [])
  })

  test(`${KEYS} keys × ${TWINS} orders: one 201 per key, the others 200`, async ({ assert }) => {
    const event = await aBigEvent()
    const { client, id } = await aRival(event)
    const bookings = await crowd(
      keys.map((key) => () => book(client, event.id, [BIG_HALL_SEATS[key]])),
      KEYS_AT_ONCE
    )
    const bodies = bookings.map(({ data }) => orderBody(data.booking_id))

    const answers = await sendTwins((key) => client.post('/orders', bodies[key]))

    assert.deepEqual(tally(answers.flat()), { 201: KEYS, 200: KEYS * (TWINS - 1) })
    for (const twins of answers)
      assert.equal(
        distinctAnswers(twins, (data) => data),
        1
      )
    assert.equal(await count('SELECT count(*) FROM orders WHERE partner_id = $1', [id]), KEYS)
    assert.deepEqual(await brokenRules(event.id), [])
  })

  test(`${KEYS} orders × ${TWINS} confirms: every answer has the same tickets`, async ({
    assert,
  }) => {
    const event = await aBigEvent()
    const { client } = await aRival(event)
    const orders = await placeOrders(client, event.id, BIG_HALL_SEATS.slice(0, KEYS))
    const payments = orders.map((placed) => paymentOf(placed.total_tenge))

    const answers = await sendTwins((key) =>
      client.post(`/orders/${orders[key].order_id}/confirm`, payments[key])
    )

    assert.deepEqual(tally(answers.flat()), { 200: KEYS * TWINS })
    for (const twins of answers)
      assert.equal(
        distinctAnswers(twins, (data) => data),
        1
      )
    const tickets = 'SELECT count(*) FROM tickets WHERE event_id = $1'
    assert.equal(await count(tickets, [event.id]), KEYS)
    const attempts = `SELECT count(*) FROM confirm_attempts WHERE order_id_sent = ANY($1) AND http_status = 200`
    assert.equal(await count(attempts, [orders.map((placed) => placed.order_id)]), KEYS * TWINS)
    assert.deepEqual(await brokenRules(event.id), [])
  })

  test('different payments for one order: every answer has the first one', async ({ assert }) => {
    const event = await aBigEvent()
    const { client } = await aRival(event)
    const orders = await placeOrders(client, event.id, BIG_HALL_SEATS.slice(0, 20))

    for (const placed of orders) {
      const answers = await together(TWINS, () =>
        client.post(`/orders/${placed.order_id}/confirm`, paymentOf(placed.total_tenge))
      )
      assert.deepEqual(tally(answers), { 200: TWINS })
      assert.equal(
        distinctAnswers(answers, (data) => data),
        1
      )
    }
  })

  test(`${KEYS} orders × ${TWINS} cancels: all 200, and the seats are free`, async ({ assert }) => {
    const event = await aBigEvent()
    const { client } = await aRival(event)
    const orders = await placeOrders(client, event.id, BIG_HALL_SEATS.slice(0, KEYS))

    const answers = await sendTwins((key) => client.post(`/orders/${orders[key].order_id}/cancel`))

    assert.deepEqual(tally(answers.flat()), { 200: KEYS * TWINS })
    for (const twins of answers)
      assert.equal(
        distinctAnswers(twins, (data) => data.status),
        1
      )
    const taken = `SELECT count(*) FROM event_seats WHERE event_id = $1 AND held_by IS NOT NULL`
    assert.equal(await count(taken, [event.id]), 0)
    const entries = `SELECT count(*) FROM journal WHERE event_id = $1 AND name = 'order_cancelled'`
    assert.equal(await count(entries, [event.id]), KEYS)
    assert.deepEqual(await brokenRules(event.id), [])
  })

  test('one booking key with different seats: one succeeds, the others get a conflict naming what is stored', async ({
    assert,
  }) => {
    const event = await aBigEvent()
    const { client } = await aRival(event)

    const races = await crowd(
      keys.map((key) => () => {
        const partnerBookingId = uniqueKey('b')
        return Promise.all(
          [key * 2, key * 2 + 1].map(async (seat) => {
            const seats = [BIG_HALL_SEATS[seat]]
            const more = { partner_booking_id: partnerBookingId }
            return { seats, answer: await book(client, event.id, seats, more) }
          })
        )
      }),
      KEYS_AT_ONCE
    )

    for (const race of races) {
      const [winner, loser] = race.sort((a, b) => a.answer.status - b.answer.status)
      assert.deepEqual([winner.answer.status, loser.answer.status], [201, 409])
      assert.equal(loser.answer.error.code, 'IDEMPOTENCY_CONFLICT')
      assert.deepEqual(loser.answer.error.details, {
        field: 'seats',
        stored: winner.seats,
        received: loser.seats,
      })
    }
    const held = `SELECT count(*) FROM event_seats WHERE event_id = $1 AND held_by IS NOT NULL`
    assert.equal(await count(held, [event.id]), KEYS)
  })

  test('one order key with different bookings: one succeeds, the other gets a conflict naming the stored booking', async ({
    assert,
  }) => {
    const event = await aBigEvent()
    const { client, id } = await aRival(event)
    const bookings = await crowd(
      keys.map((key) => () => book(client, event.id, [BIG_HALL_SEATS[key]])),
      KEYS_AT_ONCE
    )

    for (let pair = 0; pair < KEYS / 2; pair++) {
      const [one, other] = [bookings[pair * 2].data, bookings[pair * 2 + 1].data]
      const key = { partner_order_id: uniqueKey('o') }
      const answers = await Promise.all([
        client.post('/orders', orderBody(one.booking_id, key)),
        client.post('/orders', orderBody(other.booking_id, key)),
      ])
      const [winner, loser] = answers.sort((a, b) => a.status - b.status)
      assert.deepEqual([winner.status, loser.status], [201, 409])
      const stored = winner.data.booking_id
      const received = stored === one.booking_id ? other.booking_id : one.booking_id
      assert.equal(loser.error.code, 'IDEMPOTENCY_CONFLICT')
      assert.deepEqual(loser.error.details, { field: 'booking_id', stored, received })
    }
    assert.equal(await count('SELECT count(*) FROM orders WHERE partner_id = $1', [id]), KEYS / 2)
  })

  test('one booking ordered under different keys: one order, the others BOOKING_ALREADY_CONFIRMED', async ({
    assert,
  }) => {
    const event = await aBigEvent()
    const { client } = await aRival(event)
    for (const seat of BIG_HALL_SEATS.slice(0, 20)) {
      const booking = await book(client, event.id, [seat])
      const answers = await together(5, () =>
        client.post('/orders', orderBody(booking.data.booking_id))
      )
      assert.deepEqual(tally(answers), { '201': 1, '409 BOOKING_ALREADY_CONFIRMED': 4 })
    }
  })

  test('the cap of pending orders holds, however many requests come at once', async ({
    assert,
  }) => {
    const event = await aBigEvent()
    const { client, id } = await aRival(event, { pendingOrders: 7 })
    const bookings = await Promise.all(
      BIG_HALL_SEATS.slice(0, 40).map((seat) => book(client, event.id, [seat]))
    )

    const answers = await Promise.all(
      bookings.map(({ data }) => client.post('/orders', orderBody(data.booking_id)))
    )

    assert.deepEqual(tally(answers), { '201': 7, '429 PENDING_LIMIT_EXCEEDED': 33 })
    const pending = await rows(
      `SELECT count(*)::int AS orders FROM orders WHERE partner_id = $1 AND stored_status = 'pending'`,
      [id]
    )
    assert.deepEqual(pending, [{ orders: 7 }])
  })

  test('the cap of pending orders holds for orders that have waited for each other', async ({
    assert,
  }) => {
    const event = await aBigEvent()
    const { client } = await aRival(event, { pendingOrders: 3, requestsInFlight: 8 })
    const bookings = await together(8, (seat) => book(client, event.id, [BIG_HALL_SEATS[seat]]))

    const trx = await db.transaction()
    await closeSaleGate(event.id, trx)
    const sent = bookings.map(({ data }) => client.post('/orders', orderBody(data.booking_id)))
    await untilSomebodyWaits(sent.length)
    await trx.rollback()
    const answers = await Promise.all(sent)

    assert.deepEqual(tally(answers), { '201': 3, '429 PENDING_LIMIT_EXCEEDED': 5 })
  })
})
