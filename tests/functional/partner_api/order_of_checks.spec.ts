import { block, changeStatus, lapseBooking, suspend } from '#tests/support/circumstances'
import { assertCode, type Code } from '#tests/support/expectations'
import { aPartner, aSale, anEvent, grant, order } from '#tests/support/fixtures'
import { bookingBody, orderBody } from '#tests/support/operations'
import type { Answer } from '#tests/support/partner_client'
import { sendRaw, type RawRequest } from '#tests/support/raw_request'
import { ownerRows, traceOf } from '#tests/support/rows'
import { test } from '@japa/runner'

type Sale = Awaited<ReturnType<typeof aSale>>

const UNKNOWN_KEY = { 'X-Api-Key': 'pk_sandbox_01234567890123456789012345678901' }
const TOO_LARGE = 'x'.repeat(70_000)
const wrongSignature = () => '0'.repeat(64)
const post = (body: string | object, more: Partial<RawRequest> = {}): RawRequest => ({
  method: 'POST',
  path: '/bookings',
  body: typeof body === 'string' ? body : JSON.stringify(body),
  ...more,
})
const noMore = ({ partner }: Sale) =>
  ownerRows('UPDATE partners SET requests_per_minute = 1 WHERE id = ?', partner.id)
const onlyFrom = (address: string) => (sale: Sale) =>
  ownerRows(
    'UPDATE partners SET allowed_addresses = ARRAY[?] WHERE id = ?',
    address,
    sale.partner.id
  )
const nineSeats = Array.from({ length: 9 }, (_, i) => `seat-1-${i + 1}`)
const aListOf = (count: number) => Array.from({ length: count }, (_, i) => `seat-9-${i}`)

/** Both `first` and `then` are wrong with the request; the first of the two is answered. */
interface Pair {
  first: string
  then: string
  gives: Code
  given?: ((sale: Sale) => unknown)[]
  request: (sale: Sale) => RawRequest
}

const body = (sale: Sale, more: object = {}) => bookingBody(sale.event.id, more)

const pairs: Pair[] = [
  {
    first: 'the key',
    then: 'the timestamp and signature',
    gives: 'INVALID_API_KEY',
    request: () => ({ path: '/events', headers: UNKNOWN_KEY, timestamp: '1' }),
  },
  {
    first: 'the timestamp and signature',
    then: "the sender's address",
    gives: 'INVALID_SIGNATURE',
    given: [onlyFrom('192.0.2.1')],
    request: () => ({ path: '/events', signature: wrongSignature }),
  },
  {
    first: "the sender's address",
    then: 'the rate',
    gives: 'INVALID_SIGNATURE',
    given: [(sale) => sale.client.get('/events'), noMore, onlyFrom('192.0.2.1')],
    request: () => ({ path: '/events' }),
  },
  {
    first: 'the signature',
    then: 'the size of the body',
    gives: 'INVALID_SIGNATURE',
    request: () => post(TOO_LARGE, { signature: wrongSignature }),
  },
  {
    first: 'the rate',
    then: 'the content type',
    gives: 'RATE_LIMIT_EXCEEDED',
    given: [(sale) => sale.client.get('/events'), noMore],
    request: () => post('a=1', { headers: { 'Content-Type': 'text/plain' } }),
  },
  {
    first: 'the rate',
    then: 'the size of the body',
    gives: 'RATE_LIMIT_EXCEEDED',
    given: [(sale) => sale.client.get('/events'), noMore],
    request: () => post(TOO_LARGE),
  },
  {
    first: 'the rate',
    then: 'an unknown route',
    gives: 'RATE_LIMIT_EXCEEDED',
    given: [(sale) => sale.client.get('/events'), noMore],
    request: () => ({ path: '/nothing' }),
  },
  {
    first: 'the content type',
    then: 'the size of the body',
    gives: 'UNSUPPORTED_MEDIA_TYPE',
    request: () => post(TOO_LARGE, { headers: { 'Content-Type': 'text/plain' } }),
  },
  {
    first: 'the size of the body',
    then: 'malformed JSON',
    gives: 'PAYLOAD_TOO_LARGE',
    request: () => post(TOO_LARGE),
  },
  {
    first: 'a wrong shape',
    then: 'the suspension',
    gives: 'INVALID_PARAMETERS',
    given: [({ partner }) => suspend(partner)],
    request: (sale) => post(body(sale, { seats: [] })),
  },
  {
    first: 'a wrong shape',
    then: 'an idempotent repeat',
    gives: 'INVALID_PARAMETERS',
    given: [(sale) => sale.client.post('/bookings', body(sale, { partner_booking_id: 'k' }))],
    request: (sale) => post(body(sale, { partner_booking_id: 'k', seats: 'seat-2-1' })),
  },
  {
    first: 'a conflict of the key',
    then: 'the suspension',
    gives: 'IDEMPOTENCY_CONFLICT',
    given: [
      (sale) => sale.client.post('/bookings', body(sale, { partner_booking_id: 'k' })),
      ({ partner }) => suspend(partner),
    ],
    request: (sale) => post(body(sale, { partner_booking_id: 'k', seats: ['seat-3-3'] })),
  },
  {
    first: 'the suspension',
    then: 'an unknown event',
    gives: 'PARTNER_DISABLED',
    given: [({ partner }) => suspend(partner)],
    request: (sale) => post(body(sale, { event_id: 'evt_x' })),
  },
  {
    first: 'the suspension',
    then: 'a missing grant',
    gives: 'PARTNER_DISABLED',
    given: [
      ({ partner }) => suspend(partner),
      ({ partner, event }) => grant(partner, event, 'revoked'),
    ],
    request: (sale) => post(body(sale)),
  },
  {
    first: 'a missing grant',
    then: 'a pause',
    gives: 'ACCESS_DENIED',
    given: [
      ({ event }) => changeStatus(event, 'pause'),
      ({ partner, event }) => grant(partner, event, 'revoked'),
    ],
    request: (sale) => post(body(sale)),
  },
  {
    first: 'more than 20 seats',
    then: 'a pause',
    gives: 'INVALID_PARAMETERS',
    given: [({ event }) => changeStatus(event, 'pause')],
    request: (sale) => post(body(sale, { seats: aListOf(21) })),
  },
  {
    first: 'a pause',
    then: 'too many seats',
    gives: 'SALES_PAUSED',
    given: [({ event }) => changeStatus(event, 'pause')],
    request: (sale) => post(body(sale, { seats: nineSeats })),
  },
  {
    first: 'closed sales',
    then: 'too many seats',
    gives: 'SALES_NOT_OPEN',
    given: [({ event }) => changeStatus(event, 'close')],
    request: (sale) => post(body(sale, { seats: nineSeats })),
  },
  {
    first: 'too many seats',
    then: 'unknown seats',
    gives: 'BOOKING_LIMIT_EXCEEDED',
    request: (sale) => post(body(sale, { seats: aListOf(9) })),
  },
  {
    first: 'unknown seats',
    then: 'taken seats',
    gives: 'SEATS_UNKNOWN',
    given: [({ event }) => block(event, 'seat-1-1')],
    request: (sale) => post(body(sale, { seats: ['seat-1-1', 'seat-9-9'] })),
  },
]

test.group('Order of checks', () => {
  for (const { first, then, gives, given = [], request } of pairs) {
    test(`${first} before ${then}: ${gives}`, async ({ assert }) => {
      const sale = await aSale()
      for (const arrange of given) await arrange(sale)
      const before = await traceOf(sale.partner)

      const answer = await sendRaw(sale.client, request(sale))

      assertCode(answer, gives)
      assert.deepEqual(await traceOf(sale.partner), before)
    })
  }

  test('the request id is checked before everything', async ({ assert }) => {
    const { client } = await aPartner()
    const id = '11111111-2222-4333-8444-555555555555'
    const answer = await sendRaw(client, {
      path: '/events',
      headers: { ...UNKNOWN_KEY, 'X-Request-Id': id },
    })
    assert.equal(answer.headers.get('x-request-id'), id)
  })

  test('an unknown event is reported before a missing grant', async () => {
    const [{ client }, event] = await Promise.all([aPartner(), anEvent()])
    assertCode(await client.get('/events/evt_x'), 'EVENT_NOT_FOUND')
    assertCode(await client.get(`/events/${event.id}`), 'ACCESS_DENIED')
  })

  const states: Record<string, (sale: Sale) => unknown> = {
    'a pause': ({ event }) => changeStatus(event, 'pause'),
    'a close': ({ event }) => changeStatus(event, 'close'),
    'a revoked grant': ({ partner, event }) => grant(partner, event, 'revoked'),
    'a suspension': ({ partner }) => suspend(partner),
    'a lower limit of seats': ({ event }) =>
      ownerRows('UPDATE events SET max_seats_per_booking = 1 WHERE id = ?', event.id),
    'its seats sold out': ({ event }) =>
      ownerRows(`UPDATE event_seats SET price_tenge = NULL WHERE event_id = ?`, event.id),
  }
  for (const [name, arrange] of Object.entries(states)) {
    test(`an idempotent repeat is answered before ${name}`, async ({ assert }) => {
      const sale = await aSale()
      const sent = body(sale, { seats: ['seat-1-1', 'seat-1-2'] })
      const first = await sale.client.post('/bookings', sent)
      await arrange(sale)
      const repeat = await sale.client.post('/bookings', sent)
      assert.deepEqual([repeat.status, repeat.data], [200, first.data])
    })
  }

  const orderPairs: [string, Code, (sale: Sale, bookingId: string) => Promise<Answer>][] = [
    [
      'a wrong shape before the suspension',
      'INVALID_PARAMETERS',
      async ({ client, partner }, bookingId) => {
        await suspend(partner)
        return order(client, bookingId, { consent: false })
      },
    ],
    [
      'the suspension before an unknown booking',
      'PARTNER_DISABLED',
      async ({ client, partner }) => {
        await suspend(partner)
        return order(client, 'bkg_x')
      },
    ],
    [
      'a revoked grant before an expired booking',
      'ACCESS_DENIED',
      async ({ client, partner, event }, bookingId) => {
        await lapseBooking(bookingId)
        await grant(partner, event, 'revoked')
        return order(client, bookingId)
      },
    ],
    [
      'a conflict of the key before an unknown booking',
      'IDEMPOTENCY_CONFLICT',
      async ({ client }, bookingId) => {
        const sent = orderBody(bookingId)
        await client.post('/orders', sent)
        return client.post('/orders', { ...sent, booking_id: 'bkg_x' })
      },
    ],
    [
      'an expired booking before the cap of pending orders',
      'BOOKING_EXPIRED',
      async ({ client, event, partner }, bookingId) => {
        const other = await client.post('/bookings', bookingBody(event.id, { seats: ['seat-3-1'] }))
        await order(client, other.data.booking_id)
        await ownerRows('UPDATE partners SET pending_orders = 1 WHERE id = ?', partner.id)
        await lapseBooking(bookingId)
        return order(client, bookingId)
      },
    ],
  ]
  for (const [name, gives, ask] of orderPairs) {
    test(`${name}: ${gives}`, async () => {
      const sale = await aSale()
      const { data } = await sale.client.post('/bookings', body(sale))
      assertCode(await ask(sale, data.booking_id), gives)
    })
  }
})
