import { statusOf } from '#tests/support/answers'
import {
  cancelEvent,
  changeStatus,
  lapseBooking,
  lapseOrder,
  reprice,
  suspend,
} from '#tests/support/circumstances'
import { assertCode, assertInvalid, assertRefused } from '#tests/support/expectations'
import { aPartner, anEvent, book, grant, order, paymentOf } from '#tests/support/fixtures'
import { aBooking, cancel, confirm, orderBody } from '#tests/support/operations'
import { countOrders, journalOf, one, ownerRows, takenSeats } from '#tests/support/rows'
import { test } from '@japa/runner'

const HELD = ['seat-2-1 held', 'seat-2-2 held']
const seconds = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 1000

test.group('POST /orders', () => {
  test('turns a booking into a pending order at its prices, without tickets', async ({
    assert,
  }) => {
    const { client, event, booking } = await aBooking()

    const { status, data } = await order(client, booking.booking_id)

    assert.equal(status, 201)
    assert.match(data.order_id, /^TIX-\d{4}-\d{6,}$/)
    assert.containsSubset(data, { status: 'pending', total_tenge: 24_000, payment_info: null })
    assert.containsSubset(data, { booking_id: booking.booking_id, event_id: event.id })
    assert.deepEqual(data.seats, booking.seats)
    assert.notProperty(data, 'tickets')
    assert.deepEqual(await takenSeats(event), HELD)
    assert.deepEqual(await journalOf('order_id', data.order_id), ['order_placed'])
  })

  test('the year of the number is that of the venue', async ({ assert }) => {
    const { client, booking } = await aBooking()
    const { data } = await order(client, booking.booking_id)
    assert.equal(data.order_id.split('-')[1], data.created_at.slice(0, 4))
  })

  test('a number of more than six digits is written whole', async ({ assert }) => {
    const { client, booking } = await aBooking()
    const { last } = await one(`SELECT nextval('order_numbers')::int AS last`)
    await ownerRows(`SELECT setval('order_numbers', 1234566)`)
    const { data } = await order(client, booking.booking_id)
    await ownerRows(`SELECT setval('order_numbers', ?)`, last)
    assert.match(data.order_id, /^TIX-\d{4}-1234567$/)
  })

  test('locks the seats for the payment window of the partner', async ({ assert }) => {
    const settings = { holdSeconds: 5, paymentWindowSeconds: 99 }
    const { client, event, booking } = await aBooking({ settings })

    const { data } = await order(client, booking.booking_id)

    assert.equal(seconds(data.created_at, data.expires_at), 99)
    const { until } = await one(
      `SELECT max(hold_until) AS until FROM event_seats WHERE event_id = ? AND held_by = ?`,
      event.id,
      booking.booking_id
    )
    assert.equal(until.getTime(), Date.parse(data.expires_at))
  })

  test('the payment window is 5 minutes unless agreed otherwise', async ({ assert }) => {
    const { client, booking } = await aBooking()
    const { data } = await order(client, booking.booking_id)
    assert.equal(seconds(data.created_at, data.expires_at), 300)
  })

  test('keeps the prices of the booking although prices have changed', async ({ assert }) => {
    const { client, event, booking } = await aBooking()
    await reprice(event, { standard: 99_000n })
    const { data } = await order(client, booking.booking_id)
    assert.equal(data.total_tenge, 24_000)
  })

  test('sets order_id on the booking', async ({ assert }) => {
    const { client, booking } = await aBooking()
    const { data } = await order(client, booking.booking_id)
    const stored = await one('SELECT * FROM bookings WHERE id = ?', booking.booking_id)
    assert.containsSubset(stored, { stored_status: 'converted', order_id: data.order_id })
  })

  test('a pause after the booking does not stop the order', async ({ assert }) => {
    const { client, event, booking } = await aBooking()
    await changeStatus(event, 'pause')
    assert.equal(statusOf(await order(client, booking.booking_id)), 201)
  })

  test('an expired booking is refused', async ({ assert }) => {
    const { client, event, partner, booking } = await aBooking()
    await lapseBooking(booking.booking_id)
    assertRefused(await order(client, booking.booking_id), 'BOOKING_EXPIRED')
    assert.equal(await countOrders(partner), 0)
    assert.deepEqual(await takenSeats(event), [])
  })

  test('a booking of a cancelled event is refused', async ({ assert }) => {
    const { client, event, partner, booking } = await aBooking()
    await cancelEvent(event)
    assertRefused(await order(client, booking.booking_id), 'BOOKING_EXPIRED')
    assert.equal(await countOrders(partner), 0)
  })

  for (const bookingId of ['bkg_00000000000000000000000000', 'nonsense', 'бронь']) {
    test(`an unknown booking is refused: ${bookingId}`, async ({ assert }) => {
      const { client, id } = await aPartner()
      assertRefused(await order(client, bookingId), 'BOOKING_NOT_FOUND')
      assert.equal(await countOrders({ id }), 0)
    })
  }

  test("another partner's booking does not exist", async ({ assert }) => {
    const { event, booking } = await aBooking()
    const stranger = await aPartner()
    await grant(stranger, event)
    assertRefused(await order(stranger.client, booking.booking_id), 'BOOKING_NOT_FOUND')
    assert.equal(await countOrders(stranger), 0)
  })

  test('an order with another key already exists for the booking', async ({ assert }) => {
    const { client, partner, booking } = await aBooking()
    await order(client, booking.booking_id)
    assertRefused(await order(client, booking.booking_id), 'BOOKING_ALREADY_CONFIRMED')
    assert.equal(await countOrders(partner), 1)
  })

  test('of ten simultaneous orders with different keys one is placed', async ({ assert }) => {
    const { client, partner, booking } = await aBooking()
    const ten = Array.from({ length: 10 }, () => order(client, booking.booking_id))

    const answers = await Promise.all(ten)

    assert.equal(answers.filter(({ status }) => status === 201).length, 1)
    const refused = answers.filter(({ status }) => status !== 201)
    refused.forEach((answer) => assertRefused(answer, 'BOOKING_ALREADY_CONFIRMED'))
    assert.equal(await countOrders(partner), 1)
  })

  test('a key used with another booking is refused', async ({ assert }) => {
    const { client, event, partner, booking } = await aBooking()
    const { data: second } = await book(client, event.id, ['seat-3-1'])
    const body = orderBody(booking.booking_id)
    await client.post('/orders', body)

    const answer = await client.post('/orders', { ...body, booking_id: second.booking_id })

    assertRefused(answer, 'IDEMPOTENCY_CONFLICT', {
      field: 'booking_id',
      stored: booking.booking_id,
      received: second.booking_id,
    })
    assert.equal(await countOrders(partner), 1)
  })

  test('a key used with another customer is refused', async ({ assert }) => {
    const { client, partner, booking } = await aBooking()
    const body = orderBody(booking.booking_id)
    await client.post('/orders', body)

    const answer = await client.post('/orders', { ...body, customer: { email: 'x@example.kz' } })

    const details = { stored: 'buyer@example.kz', received: 'x@example.kz' }
    assertRefused(answer, 'IDEMPOTENCY_CONFLICT', { field: 'customer.email', ...details })
    assert.equal(await countOrders(partner), 1)
  })

  test('a grant revoked after the booking is refused', async ({ assert }) => {
    const { client, event, partner, booking } = await aBooking()
    await grant(partner, event, 'revoked')
    assertRefused(await order(client, booking.booking_id), 'ACCESS_DENIED')
    assert.equal(await countOrders(partner), 0)
    assert.deepEqual(await takenSeats(event), HELD)
  })

  test('a partner suspended after the booking is refused', async ({ assert }) => {
    const { client, partner, booking } = await aBooking()
    await suspend(partner)
    assertRefused(await order(client, booking.booking_id), 'PARTNER_DISABLED')
    assert.equal(await countOrders(partner), 0)
  })

  test('too many pending orders: 429 with the seconds until one ends', async ({ assert }) => {
    const settings = { pendingOrders: 1, paymentWindowSeconds: 60 }
    const { client, event, partner, booking } = await aBooking({ settings })
    await order(client, booking.booking_id)
    const { data: second } = await book(client, event.id, ['seat-3-1'])

    const answer = await order(client, second.booking_id)

    assertCode(answer, 'PENDING_LIMIT_EXCEEDED')
    assert.oneOf(answer.headers.get('retry-after'), ['58', '59', '60'])
    assert.equal(await countOrders(partner), 1)
  })

  test('the seconds are those until the first of the pending orders ends', async ({ assert }) => {
    const settings = { pendingOrders: 2, paymentWindowSeconds: 60 }
    const { client, event, partner, booking } = await aBooking({ settings })
    await order(client, booking.booking_id)
    await ownerRows('UPDATE partners SET payment_window_seconds = 600 WHERE id = ?', partner.id)
    const { data: second } = await book(client, event.id, ['seat-3-1'])
    await order(client, second.booking_id)
    const { data: third } = await book(client, event.id, ['seat-3-2'])

    const answer = await order(client, third.booking_id)

    assertCode(answer, 'PENDING_LIMIT_EXCEEDED')
    assert.oneOf(answer.headers.get('retry-after'), ['57', '58', '59', '60'])
  })

  const endings = {
    confirmed: (client, id) => confirm(client, id, paymentOf(24_000)),
    cancelled: (client, id) => cancel(client, id),
    expired: (_, id) => lapseOrder(id),
  } as Record<
    string,
    (client: Awaited<ReturnType<typeof aPartner>>['client'], id: string) => unknown
  >
  for (const [ending, end] of Object.entries(endings)) {
    test(`an order that is ${ending} no longer counts as pending`, async ({ assert }) => {
      const { client, event, booking } = await aBooking({ settings: { pendingOrders: 1 } })
      const { data: first } = await order(client, booking.booking_id)
      await end(client, first.order_id)
      const { data: second } = await book(client, event.id, ['seat-3-1'])
      assert.equal(statusOf(await order(client, second.booking_id)), 201)
    })
  }

  for (const [field, more] of Object.entries({
    'consent': { consent: false },
    'customer.email': { customer: { email: '' } },
    'customer': { customer: undefined },
  })) {
    test(`${JSON.stringify(more)} is invalid`, async ({ assert }) => {
      const { client, partner, booking } = await aBooking()
      assertInvalid(await order(client, booking.booking_id, more), field)
      assert.equal(await countOrders(partner), 0)
    })
  }
})

test.group('POST /orders, repeated', () => {
  test('the same key: 200, the same order, its window unchanged', async ({ assert }) => {
    const { client, partner, booking } = await aBooking()
    const body = orderBody(booking.booking_id)
    const first = await client.post('/orders', body)

    const repeat = await client.post('/orders', body)

    assert.deepEqual([repeat.status, repeat.data], [200, first.data])
    assert.equal(await countOrders(partner), 1)
  })

  test('ten simultaneous repeats make one order', async ({ assert }) => {
    const { client, partner, booking } = await aBooking()
    const body = orderBody(booking.booking_id)

    const answers = await Promise.all(
      Array.from({ length: 10 }, () => client.post('/orders', body))
    )

    assert.deepEqual(answers.map(({ status }) => status).sort(), [...Array(9).fill(200), 201])
    assert.equal(await countOrders(partner), 1)
  })

  test('returns the current status, and never tickets', async ({ assert }) => {
    const { client, booking } = await aBooking()
    const body = orderBody(booking.booking_id)
    const { data: placed } = await client.post('/orders', body)
    await confirm(client, placed.order_id)

    const { status, data } = await client.post('/orders', body)

    assert.deepEqual([status, data.status, data.expires_at], [200, 'paid', null])
    assert.notProperty(data, 'tickets')
  })

  test('an expired order is returned as expired and holds nothing', async ({ assert }) => {
    const { client, event, booking } = await aBooking()
    const body = orderBody(booking.booking_id)
    const { data: placed } = await client.post('/orders', body)
    await lapseOrder(placed.order_id)

    const { status, data } = await client.post('/orders', body)

    assert.deepEqual([status, data.status], [200, 'expired'])
    assert.deepEqual(await takenSeats(event), [])
  })

  test('is answered to a suspended partner without a grant, at its cap of pending orders', async ({
    assert,
  }) => {
    const { client, event, partner, booking } = await aBooking({ settings: { pendingOrders: 1 } })
    const body = orderBody(booking.booking_id)
    await client.post('/orders', body)
    await grant(partner, event, 'revoked')
    await suspend(partner)
    assert.equal(statusOf(await client.post('/orders', body)), 200)
  })

  test('keys are separate for each partner', async ({ assert }) => {
    const { client, booking } = await aBooking()
    const { client: other, booking: theirs } = await aBooking()
    const body = orderBody(booking.booking_id)
    await client.post('/orders', body)
    const answer = await other.post('/orders', { ...body, booking_id: theirs.booking_id })
    assert.equal(answer.status, 201)
  })

  test('a seat whose hold expired and that another buyer has bought is not sold twice', async ({
    assert,
  }) => {
    const { client, event, partner, booking } = await aBooking()
    await lapseBooking(booking.booking_id)
    const rival = await aPartner()
    await grant(rival, event)
    await book(rival.client, event.id, ['seat-2-1'])

    assertRefused(await order(client, booking.booking_id), 'BOOKING_EXPIRED')
    assert.equal(await countOrders(partner), 0)
    assert.deepEqual(await takenSeats(event), ['seat-2-1 held'])
  })

  test('a booking for another event in the same hall keeps its own seats', async ({ assert }) => {
    const { client, partner, booking } = await aBooking()
    const other = await anEvent()
    await grant(partner, other)
    await order(client, booking.booking_id)
    assert.deepEqual(await takenSeats(other), [])
  })
})
