import { statusOf } from '#tests/support/answers'
import {
  block,
  cancelEvent,
  changeStatus,
  lapseBooking,
  moveStart,
  reprice,
  storefrontHolds,
  storefrontSells,
  suspend,
} from '#tests/support/circumstances'
import { assertInvalid, assertRefused } from '#tests/support/expectations'
import { aPartner, aSale, anEvent, book, grant, order, uniqueKey } from '#tests/support/fixtures'
import { bookingBody } from '#tests/support/operations'
import { countBookings, journalOf, one, takenSeats } from '#tests/support/rows'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'

const seconds = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 1000
const twelve = Array.from({ length: 10 }, (_, i) => `seat-2-${i + 1}`).concat(
  'seat-3-1',
  'seat-3-2'
)

test.group('POST /bookings', () => {
  test('holds all listed seats at their full prices, in the order sent', async ({ assert }) => {
    const { client, event } = await aSale()

    const { status, data } = await book(client, event.id, ['seat-2-1', 'seat-1-1'])

    assert.equal(status, 201)
    assert.deepEqual(data.seats, [
      { space_id: 'seat-2-1', price_tenge: 12_000, category_code: 'standard' },
      { space_id: 'seat-1-1', price_tenge: 45_000, category_code: 'vip' },
    ])
    assert.containsSubset(data, { status: 'active', total_tenge: 57_000, currency: 'KZT' })
    assert.notProperty(data, 'order_id')
    assert.deepEqual(await takenSeats(event), ['seat-1-1 held', 'seat-2-1 held'])
    assert.deepEqual(await journalOf('booking_id', data.booking_id), ['booking_created'])
  })

  test('holds for the time set for the partner', async ({ assert }) => {
    const { client, event } = await aSale({ settings: { holdSeconds: 42 } })

    const { data } = await book(client, event.id, ['seat-1-1'])

    assert.equal(data.ttl_seconds, 42)
    assert.equal(seconds(data.created_at, data.expires_at), 42)
  })

  test('holds for 3 minutes by default', async ({ assert }) => {
    const { client, event } = await aSale()
    const { data } = await book(client, event.id, ['seat-1-1'])
    assert.equal(data.ttl_seconds, 180)
  })

  test('a changed hold time applies to the next booking only', async ({ assert }) => {
    const { client, event, partner } = await aSale()
    const body = bookingBody(event.id)
    await client.post('/bookings', body)
    await db.rawQuery('UPDATE partners SET hold_seconds = 7 WHERE id = ?', [partner.id])

    const repeat = await client.post('/bookings', body)
    const next = await book(client, event.id, ['seat-3-1'])

    assert.deepEqual([repeat.data.ttl_seconds, next.data.ttl_seconds], [180, 7])
  })

  test('keeps the customer as sent and ignores unknown fields', async ({ assert }) => {
    const { client, event } = await aSale()
    const customer = { name: ' Әсел Нұрланқызы ', email: 'asel@example.kz', phone: '+77010000001' }

    const { data } = await book(client, event.id, ['seat-1-1'], {
      customer: { ...customer, vip: true },
      promo: 'X',
    })

    assert.deepEqual(data.customer, customer)
    const stored = await one('SELECT customer FROM bookings WHERE id = ?', data.booking_id)
    assert.deepEqual(stored.customer, customer)
  })

  test('the customer may be omitted', async ({ assert }) => {
    const { client, event } = await aSale()
    const { status, data } = await book(client, event.id, ['seat-1-1'])
    assert.deepEqual([status, data.customer], [201, null])
  })

  test('one taken seat refuses the booking, and exactly the taken seats are listed in the order sent', async ({
    assert,
  }) => {
    const { client, event } = await aSale()
    await book(client, event.id, ['seat-2-3'])
    await storefrontHolds(event, 'seat-2-4')
    await storefrontSells(event, 'seat-2-5')
    await block(event, 'seat-2-6')
    const before = await takenSeats(event)

    const seats = ['seat-2-6', 'seat-2-1', 'seat-2-5', 'seat-2-4', 'seat-2-3', 'seat-2-2']
    const answer = await book(client, event.id, seats)

    assertRefused(answer, 'SEATS_NOT_AVAILABLE', {
      seats: ['seat-2-6', 'seat-2-5', 'seat-2-4', 'seat-2-3'],
    })
    assert.deepEqual(await takenSeats(event), before)
  })

  test('a seat without a price is not for sale', async ({ assert }) => {
    const { client, event, partner } = await aSale()

    const answer = await book(client, event.id, ['seat-2-1', 'seat-6-1'])

    assertRefused(answer, 'SEATS_NOT_AVAILABLE', { seats: ['seat-6-1'] })
    assert.equal(await countBookings(partner), 0)
    assert.deepEqual(await takenSeats(event), [])
  })

  test('a refused booking does not use up its key', async ({ assert }) => {
    const { client, event } = await aSale()
    await block(event, 'seat-2-1')
    const key = uniqueKey()
    await book(client, event.id, ['seat-2-1'], { partner_booking_id: key })

    const answer = await book(client, event.id, ['seat-2-2'], { partner_booking_id: key })

    assert.equal(answer.status, 201)
  })

  test('paused sales refuse the booking', async ({ assert }) => {
    const { client, event, partner } = await aSale({ event: { status: 'sales_paused' } })
    assertRefused(await book(client, event.id, ['seat-1-1']), 'SALES_PAUSED')
    assert.equal(await countBookings(partner), 0)
    assert.deepEqual(await takenSeats(event), [])
  })

  for (const status of ['sales_scheduled', 'sales_closed'] as const) {
    test(`sales of a ${status} event are not open`, async ({ assert }) => {
      const { client, event, partner } = await aSale({ event: { status } })
      assertRefused(await book(client, event.id, ['seat-1-1']), 'SALES_NOT_OPEN')
      assert.equal(await countBookings(partner), 0)
      assert.deepEqual(await takenSeats(event), [])
    })
  }

  test('sales of a cancelled event are not open', async ({ assert }) => {
    const { client, event, partner } = await aSale()
    await cancelEvent(event)
    assertRefused(await book(client, event.id, ['seat-1-1']), 'SALES_NOT_OPEN')
    assert.equal(await countBookings(partner), 0)
  })

  test('the clock opens sales at sales_start_at', async ({ assert }) => {
    const salesStartAt = new Date(Date.now() - 1000)
    const { client, event } = await aSale({ event: { status: 'sales_scheduled', salesStartAt } })
    assert.equal(statusOf(await book(client, event.id, ['seat-1-1'])), 201)
  })

  test('the clock closes sales at starts_at', async ({ assert }) => {
    const { client, event, partner } = await aSale()
    await moveStart(event, '-1 second')
    assertRefused(await book(client, event.id, ['seat-1-1']), 'SALES_NOT_OPEN')
    assert.equal(await countBookings(partner), 0)
  })

  test('as many seats as the event allows are held', async ({ assert }) => {
    const { client, event } = await aSale({ event: { maxSeatsPerBooking: 12 } })
    assert.equal(statusOf(await book(client, event.id, twelve)), 201)
  })

  test('more seats than the event allows are refused', async ({ assert }) => {
    const { client, event } = await aSale({ event: { maxSeatsPerBooking: 11 } })

    const answer = await book(client, event.id, twelve)

    assertRefused(answer, 'BOOKING_LIMIT_EXCEEDED', { limit: 11, requested: 12 })
    assert.deepEqual(await takenSeats(event), [])
  })

  test('as many seats as the event allows are judged by themselves', async ({ assert }) => {
    const { client, event } = await aSale({ event: { maxSeatsPerBooking: 2 } })
    await book(client, event.id, ['seat-1-1'])

    const answer = await book(client, event.id, ['seat-1-1', 'seat-1-2'])

    assertRefused(answer, 'SEATS_NOT_AVAILABLE', { seats: ['seat-1-1'] })
    assert.deepEqual(await takenSeats(event), ['seat-1-1 held'])
  })

  test('more than 20 seats are invalid', async ({ assert }) => {
    const { client, event } = await aSale({ event: { maxSeatsPerBooking: 20 } })
    const twentyOne = Array.from(
      { length: 21 },
      (_, i) => `seat-${1 + (i % 5)}-${1 + (i % 9)}x${i}`
    )
    assertInvalid(await book(client, event.id, twentyOne), 'seats')
    assert.deepEqual(await takenSeats(event), [])
  })

  test('a repeated seat is invalid', async ({ assert }) => {
    const { client, event } = await aSale()
    assertInvalid(await book(client, event.id, ['seat-1-1', 'seat-1-1']), 'seats')
    assert.deepEqual(await takenSeats(event), [])
  })

  test('unknown seats are listed, in the order sent, and nothing is held', async ({ assert }) => {
    const { client, event } = await aSale()

    const answer = await book(client, event.id, ['seat-9-9', 'seat-1-1', 'seat-7-7'])

    assertRefused(answer, 'SEATS_UNKNOWN', { seats: ['seat-9-9', 'seat-7-7'] })
    assert.deepEqual(await takenSeats(event), [])
  })

  test('an invalid body is refused with every invalid field', async ({ assert }) => {
    const { client, partner } = await aSale()
    const answer = await client.post('/bookings', { seats: ['seat-1-1', 7] })
    assertInvalid(answer, 'event_id', 'partner_booking_id', 'seats.1')
    assert.equal(await countBookings(partner), 0)
  })

  test('an event without a grant is refused', async ({ assert }) => {
    const [{ client, id }, event] = await Promise.all([aPartner(), anEvent()])
    assertRefused(await book(client, event.id, ['seat-1-1']), 'ACCESS_DENIED')
    assert.equal(await countBookings({ id }), 0)
    assert.deepEqual(await takenSeats(event), [])
  })

  test('the grant of another partner helps nobody else', async ({ assert }) => {
    const [{ client, id }, { event }] = await Promise.all([aPartner(), aSale()])
    assertRefused(await book(client, event.id, ['seat-1-1']), 'ACCESS_DENIED')
    assert.equal(await countBookings({ id }), 0)
  })

  test('a revoked grant is refused', async ({ assert }) => {
    const { client, event, partner } = await aSale()
    await grant(partner, event, 'revoked')
    assertRefused(await book(client, event.id, ['seat-1-1']), 'ACCESS_DENIED')
    assert.deepEqual(await takenSeats(event), [])
  })

  test('a suspended partner is refused', async ({ assert }) => {
    const { client, event, partner } = await aSale()
    await suspend(partner)
    assertRefused(await book(client, event.id, ['seat-1-1']), 'PARTNER_DISABLED')
    assert.deepEqual(await takenSeats(event), [])
  })

  for (const eventId of ['evt_00000000000000000000000000', 'evt_1', 'x', 'EVT_é']) {
    test(`an unknown event is refused: ${eventId}`, async () => {
      const { client } = await aPartner()
      assertRefused(await book(client, eventId, ['seat-1-1']), 'EVENT_NOT_FOUND')
    })
  }
})

test.group('POST /bookings, repeated', () => {
  test('the same key and body: 200, the same booking, nothing more held', async ({ assert }) => {
    const { client, event, partner } = await aSale()
    const body = bookingBody(event.id, { seats: ['seat-1-1', 'seat-1-2'] })
    const first = await client.post('/bookings', body)

    const repeat = await client.post('/bookings', body)

    assert.equal(repeat.status, 200)
    assert.deepEqual(repeat.data, first.data)
    assert.equal(await countBookings(partner), 1)
    assert.deepEqual(await takenSeats(event), ['seat-1-1 held', 'seat-1-2 held'])
  })

  test('the order of the seats does not matter; the answer keeps the first', async ({ assert }) => {
    const { client, event } = await aSale()
    const body = bookingBody(event.id, { seats: ['seat-1-1', 'seat-1-2'] })
    const first = await client.post('/bookings', body)

    const repeat = await client.post('/bookings', { ...body, seats: ['seat-1-2', 'seat-1-1'] })

    assert.deepEqual([repeat.status, repeat.data], [200, first.data])
  })

  test('ten simultaneous repeats make one booking', async ({ assert }) => {
    const { client, event, partner } = await aSale()
    const body = bookingBody(event.id)

    const answers = await Promise.all(
      Array.from({ length: 10 }, () => client.post('/bookings', body))
    )

    assert.deepEqual(answers.map(({ status }) => status).sort(), [...Array(9).fill(200), 201])
    assert.equal(new Set(answers.map(({ data }) => data.booking_id)).size, 1)
    assert.equal(await countBookings(partner), 1)
  })

  test('an expired booking is returned as expired and holds nothing', async ({ assert }) => {
    const { client, event } = await aSale()
    const body = bookingBody(event.id)
    const first = await client.post('/bookings', body)
    await lapseBooking(first.data.booking_id)

    const { status, data } = await client.post('/bookings', body)

    assert.deepEqual([status, data.status], [200, 'expired'])
    assert.equal(data.booking_id, first.data.booking_id)
    assert.deepEqual(await takenSeats(event), [])
  })

  test('a hold of one second ends', async ({ assert }) => {
    const { client, event } = await aSale({ settings: { holdSeconds: 1 } })
    await book(client, event.id, ['seat-1-1'])
    await new Promise((resolve) => setTimeout(resolve, 1050))
    const { client: other } = await rival(event)
    assert.equal(statusOf(await book(other, event.id, ['seat-1-1'])), 201)
  })

  test('a converted booking is returned with its order', async ({ assert }) => {
    const { client, event } = await aSale()
    const body = bookingBody(event.id)
    const first = await client.post('/bookings', body)
    const { data: placed } = await order(client, first.data.booking_id)

    const { data } = await client.post('/bookings', body)

    assert.containsSubset(data, { status: 'converted', order_id: placed.order_id })
  })

  test('is answered although sales paused, the grant was revoked and the partner suspended', async ({
    assert,
  }) => {
    const { client, event, partner } = await aSale()
    const body = bookingBody(event.id)
    const first = await client.post('/bookings', body)
    await changeStatus(event, 'pause')
    await grant(partner, event, 'revoked')
    await suspend(partner)

    const repeat = await client.post('/bookings', body)

    assert.deepEqual([repeat.status, repeat.data], [200, first.data])
  })

  test('after the event is cancelled it is returned as expired', async ({ assert }) => {
    const { client, event } = await aSale()
    const body = bookingBody(event.id)
    await client.post('/bookings', body)
    await cancelEvent(event)
    const { status, data } = await client.post('/bookings', body)
    assert.deepEqual([status, data.status], [200, 'expired'])
    const { change } = await one(
      `SELECT change FROM journal WHERE booking_id = ? AND name = 'booking_expired'`,
      data.booking_id
    )
    assert.isBelow(Date.parse(change.expired_at), Date.parse(data.expires_at))
  })

  test('keeps its prices when the prices change', async ({ assert }) => {
    const { client, event } = await aSale()
    const body = bookingBody(event.id)
    await client.post('/bookings', body)
    await reprice(event, { standard: 99_000n })
    const { data } = await client.post('/bookings', body)
    assert.equal(data.total_tenge, 12_000)
  })

  test('keys are separate for each partner', async ({ assert }) => {
    const { client, event } = await aSale()
    const { client: other } = await rival(event)
    const body = bookingBody(event.id)
    await client.post('/bookings', body)
    const answer = await other.post('/bookings', { ...body, seats: ['seat-3-1'] })
    assert.equal(answer.status, 201)
  })

  test('a refused booking under the key of another partner is no repeat', async () => {
    const { client, event } = await aSale()
    const { client: other } = await rival(event)
    const body = bookingBody(event.id)
    await client.post('/bookings', body)
    const { seats } = body
    assertRefused(await other.post('/bookings', body), 'SEATS_NOT_AVAILABLE', { seats })
  })

  const conflicts = [
    { field: 'seats', change: { seats: ['seat-2-1', 'seat-2-2'] }, stored: ['seat-2-1'] },
    { field: 'seats', change: { seats: ['seat-2-2'] }, stored: ['seat-2-1'] },
    {
      field: 'customer.email',
      change: { customer: { name: 'A', email: 'other@example.kz' } },
      stored: 'a@example.kz',
    },
    { field: 'customer.email', change: { customer: { name: 'A' } }, stored: 'a@example.kz' },
    {
      field: 'customer.phone',
      change: { customer: { name: 'A', email: 'a@example.kz', phone: '7' } },
      stored: null,
    },
    {
      field: 'customer',
      change: { customer: undefined },
      stored: { name: 'A', email: 'a@example.kz' },
    },
  ]
  for (const { field, change, stored } of conflicts) {
    test(`the same key with ${JSON.stringify(change)} conflicts in ${field}`, async ({
      assert,
    }) => {
      const { client, event, partner } = await aSale()
      const body = bookingBody(event.id, { customer: { name: 'A', email: 'a@example.kz' } })
      await client.post('/bookings', body)

      const answer = await client.post('/bookings', { ...body, ...change })

      const [top, inner] = field.split('.')
      const sent = (change as Record<string, any>)[top]
      const received = (inner ? sent[inner] : sent) ?? null
      assertRefused(answer, 'IDEMPOTENCY_CONFLICT', { field, stored, received })
      assert.equal(await countBookings(partner), 1)
      assert.deepEqual(await takenSeats(event), ['seat-2-1 held'])
    })
  }

  test('the same key with another event conflicts in event_id, also an unknown one', async () => {
    const { client, event } = await aSale()
    const body = bookingBody(event.id)
    await client.post('/bookings', body)

    const answer = await client.post('/bookings', { ...body, event_id: 'evt_other' })

    const details = { field: 'event_id', stored: event.id, received: 'evt_other' }
    assertRefused(answer, 'IDEMPOTENCY_CONFLICT', details)
  })

  test('a seat locked for too long: 503 with Retry-After, and nothing is held', async ({
    assert,
  }) => {
    const { client, event, partner } = await aSale()
    const trx = await db.transaction()
    await trx.rawQuery('SELECT 1 FROM event_seats WHERE event_id = ? FOR UPDATE', [event.id])

    const answer = await book(client, event.id, ['seat-2-1'])
    await trx.rollback()

    assertRefused(answer, 'SERVICE_BUSY')
    assert.equal(answer.headers.get('retry-after'), '1')
    assert.equal(await countBookings(partner), 0)
  })
})

async function rival(event: { id: string }) {
  const partner = await aPartner()
  await grant(partner, event)
  return partner
}
