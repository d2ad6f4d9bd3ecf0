import { statusOf } from '#tests/support/answers'
import CreatePartner from '#partners/actions/create_partner'
import { partnerBudget } from '#partners/settings'
import { standingOf } from '#shared/rate_limit'
import { resume, suspend } from '#tests/support/circumstances'
import {
  assertCode,
  assertLimitHeaders,
  assertRefused,
  type Code,
} from '#tests/support/expectations'
import {
  aPartner,
  aSale,
  anEvent,
  book,
  grant,
  order,
  paymentOf,
  TESTER,
  uniqueKey,
} from '#tests/support/fixtures'
import {
  anOrder,
  aPaidOrder,
  bookingBody,
  cancel,
  confirm,
  everyOperation,
  findOrder,
  orderBody,
  refund,
} from '#tests/support/operations'
import type { Answer, PartnerClient } from '#tests/support/partner_client'
import { sendRaw } from '#tests/support/raw_request'
import { countBookings, countOrders, one, ownerRows } from '#tests/support/rows'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'

const many = <T>(times: number, ask: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: times }, (_, index) => ask(index)))
const withStatus = (answers: Answer[], status: number) =>
  answers.filter((answer) => answer.status === status)
const header = ({ headers }: Answer, name: string) => Number(headers.get(name))
const nowSeconds = () => Math.floor(Date.now() / 1000)

test.group('X-RateLimit-*', () => {
  test("hold the partner's budget on every answer to a signed request", async ({ assert }) => {
    const { client, partner, operations } = await everyOperation()
    await ownerRows('UPDATE partners SET requests_per_minute = 5000 WHERE id = ?', partner.id)
    for (const { method, path, body } of operations) {
      assertLimitHeaders(await client.send(method, path, body ? JSON.stringify(body) : ''), 5000)
    }
    const odd: [Parameters<typeof sendRaw>[1], number][] = [
      [{ path: '/nothing' }, 404],
      [{ method: 'DELETE', path: '/events' }, 405],
      [{ method: 'HEAD', path: '/events' }, 405],
      [{ method: 'POST', path: '/bookings', body: '{' }, 422],
      [{ method: 'POST', path: '/bookings', body: 'x'.repeat(70_000) }, 413],
      [{ method: 'POST', path: '/bookings', body: '{}', headers: { 'Content-Type': 'a/b' } }, 415],
    ]
    for (const [raw, status] of odd) {
      const answer = await sendRaw(client, raw)
      assert.equal(answer.status, status)
      assertLimitHeaders(answer, 5000)
    }
  })

  test("hold the address's budget on other answers", async () => {
    const { client, event } = await aSale()
    const unsigned = { headers: { 'X-Api-Key': undefined } }
    assertLimitHeaders(await client.get('/events', unsigned), 30)
    assertLimitHeaders(await client.get('/nothing', unsigned), 30)
    assertLimitHeaders(await client.get('', unsigned), 30)
    assertLimitHeaders(await client.get(`/events/${event.id}/jwks.json`, unsigned), 300)
    assertLimitHeaders(await client.get('/openapi.json', unsigned), 300)
    assertLimitHeaders(await client.get('/events', { signature: 'x' }), 30)
  })

  test('are present for a path with broken percent-encoding', async () => {
    const { client } = await aPartner()
    assertLimitHeaders(await sendRaw(client, { path: '/events/%zz', isUndescribed: true }))
  })

  test('count down by one with each request', async ({ assert }) => {
    const { client } = await aPartner({ requestsPerMinute: 100 })
    const remaining: number[] = []
    for (let i = 0; i < 4; i++)
      remaining.push(header(await client.get('/events'), 'x-ratelimit-remaining'))
    assert.deepEqual(remaining, [99, 98, 97, 96])
  })

  test('give the reset in Unix seconds', async ({ assert }) => {
    const { client } = await aPartner()
    const reset = header(await client.get('/events'), 'x-ratelimit-reset')
    assert.isAbove(reset, nowSeconds())
    assert.isAtMost(reset, nowSeconds() + 61)
  })

  test('public reads have a budget of their own, for HEAD as for GET', async ({ assert }) => {
    const { client } = await aPartner()
    const read = async () => header(await client.get('/openapi.json'), 'x-ratelimit-remaining')
    assert.deepEqual([await read(), await read()], [299, 298])
    await sendRaw(client, { method: 'HEAD', path: '/openapi.json', isUndescribed: true })
    const unsigned = await client.get('/events', { headers: { 'X-Api-Key': undefined } })
    assert.equal(header(unsigned, 'x-ratelimit-remaining'), 29)
  })

  test('public reads of one address do not count for another', async ({ assert }) => {
    const [first, second] = [await aPartner(), await aPartner()]
    await first.client.get('/openapi.json')
    const answer = await second.client.get('/openapi.json')
    assert.equal(header(answer, 'x-ratelimit-remaining'), 299)
  })
})

test.group('Requests per minute', () => {
  test('a partner has the limits of the contract by default', async ({ assert }) => {
    const code = uniqueKey('default')
    const { partnerId } = await new CreatePartner().handle({ code, name: code, actor: TESTER })
    assert.containsSubset(await one('SELECT * FROM partners WHERE id = ?', partnerId), {
      requests_per_minute: 100,
      requests_in_flight: 20,
      pending_orders: 50,
      hold_seconds: 180,
      payment_window_seconds: 300,
    })
  })

  test('of 1000 simultaneous requests exactly 100 pass', async ({ assert }) => {
    const { client } = await aPartner({ requestsPerMinute: 100 })

    const answers = await many(1000, () => client.get('/events'))

    assert.lengthOf(withStatus(answers, 200), 100)
    assert.lengthOf(withStatus(answers, 429), 900)
    const remaining = withStatus(answers, 200).map((answer) =>
      header(answer, 'x-ratelimit-remaining')
    )
    assert.sameMembers(
      remaining,
      Array.from({ length: 100 }, (_, i) => i)
    )
  })

  test('with default settings 100 pass, however many were refused for concurrency', async ({
    assert,
  }) => {
    const defaults = { requestsPerMinute: 100, requestsInFlight: 20, pendingOrders: 50 }
    const { client } = await aPartner(defaults)

    const crowd = await many(1000, () => client.get('/events'))
    const rest: Answer[] = []
    while (rest.length < 120) rest.push(await client.get('/events'))

    const all = [...crowd, ...rest]
    assert.lengthOf(withStatus(all, 200), 100)
    assert.lengthOf(withStatus(all, 429), 1020)
  })

  test('a refusal gives the time to wait and the reset', async ({ assert }) => {
    const { client } = await aPartner({ requestsPerMinute: 1 })
    await client.get('/events')

    const answer = await client.get('/events')

    assertRefused(answer, 'RATE_LIMIT_EXCEEDED')
    assertLimitHeaders(answer, 1)
    assert.equal(header(answer, 'x-ratelimit-remaining'), 0)
    const wait = header(answer, 'retry-after')
    assert.isTrue(wait >= 1 && wait <= 61)
    assert.closeTo(nowSeconds() + wait, header(answer, 'x-ratelimit-reset'), 1)
  })

  test('a request that is refused for the rate takes no slot in flight', async ({ assert }) => {
    const { client, id } = await aPartner({ requestsPerMinute: 1 })
    await many(5, () => client.get('/events'))
    const budget = partnerBudget(id, 1, 20)
    // The one that was not refused gives its slot back just after its answer.
    const deadline = Date.now() + 2_000
    let standing = await standingOf(budget)
    while (standing.inFlight !== 0 && Date.now() < deadline) standing = await standingOf(budget)
    assert.equal(standing.inFlight, 0)
  })

  test('every operation uses the budget and is refused beyond it', async () => {
    const { client, partner, operations } = await everyOperation()
    await ownerRows('UPDATE partners SET requests_per_minute = 1 WHERE id = ?', partner.id)
    for (const { method, path, body } of operations) {
      const answer = await client.send(method, path, body ? JSON.stringify(body) : '')
      assertRefused(answer, 'RATE_LIMIT_EXCEEDED')
    }
  })

  test('a refused booking holds nothing', async ({ assert }) => {
    const { client, event, partner } = await aSale({ settings: { requestsPerMinute: 1 } })
    await client.get('/events')
    assertCode(await book(client, event.id, ['seat-1-1']), 'RATE_LIMIT_EXCEEDED')
    assert.equal(await countBookings(partner), 0)
  })

  test("one partner's requests do not count for another", async ({ assert }) => {
    const [spent, other] = await Promise.all([
      aPartner({ requestsPerMinute: 1 }),
      aPartner({ requestsPerMinute: 1 }),
    ])
    await spent.client.get('/events')
    assertCode(await spent.client.get('/events'), 'RATE_LIMIT_EXCEEDED')
    assert.equal(statusOf(await other.client.get('/events')), 200)
  })

  test('signed requests count even when they are refused', async ({ assert }) => {
    const { client } = await aPartner({ requestsPerMinute: 3 })
    await client.get('/events/evt_x')
    await client.get('/nothing')
    await client.get('/events?limit=x')
    assert.equal(statusOf(await client.get('/events')), 429)
  })
})

test.group('Requests in flight', () => {
  /** Holds the seats of an event, so that bookings wait, while `act` runs. */
  async function whileLocked(event: { id: string }, act: () => Promise<unknown>) {
    const trx = await db.transaction()
    await trx.rawQuery('SELECT 1 FROM event_seats WHERE event_id = ? FOR UPDATE', [event.id])
    try {
      await act()
    } finally {
      await trx.rollback()
    }
  }
  const untilInFlight = () => new Promise((resolve) => setTimeout(resolve, 250))

  test('beyond the cap: 429 with Retry-After, and the rate is not used', async ({ assert }) => {
    const settings = { requestsInFlight: 3, requestsPerMinute: 50 }
    const { client, event } = await aSale({ settings })
    let waiting: Promise<Answer[]>
    await whileLocked(event, async () => {
      waiting = many(3, (i) => book(client, event.id, [`seat-1-${i + 1}`]))
      await untilInFlight()
      const answer = await client.get('/events')
      assertRefused(answer, 'RATE_LIMIT_EXCEEDED')
      assertLimitHeaders(answer, 50)
      assert.isAtLeast(header(answer, 'retry-after'), 1)
    })

    assert.lengthOf(withStatus(await waiting!, 201), 3)
    const after = await client.get('/events')
    assert.deepEqual([after.status, header(after, 'x-ratelimit-remaining')], [200, 46])
  })

  test('every kind of answer frees its slot', async ({ assert }) => {
    const { client } = await aPartner({ requestsInFlight: 1 })
    for (const path of ['/events', '/nothing', '/events/evt_x', '/events?limit=x', '/events']) {
      const { status } = await client.get(path)
      assert.notEqual(status, 429, path)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  })
})

test.group('Suspended partners', () => {
  async function suspended() {
    const { client, event, partner, order: paid } = await aPaidOrder()
    const booking = await client.post('/bookings', bookingBody(event.id, { seats: ['seat-3-1'] }))
    const another = await client.post('/bookings', bookingBody(event.id, { seats: ['seat-3-2'] }))
    const { data: pending } = await order(client, another.data.booking_id)
    await suspend(partner)
    return { client, event, partner, paid, pending, bookingId: booking.data.booking_id as string }
  }
  type Situation = Awaited<ReturnType<typeof suspended>>
  const ticket = ({ paid }: Situation) => [paid.tickets[0].ticket_id as string]

  const matrix: [string, Code | 200, (now: Situation) => Promise<Answer>][] = [
    ['events', 'PARTNER_DISABLED', ({ client }) => client.get('/events')],
    ['an event', 'PARTNER_DISABLED', ({ client, event }) => client.get(`/events/${event.id}`)],
    ['an unknown event', 'PARTNER_DISABLED', ({ client }) => client.get('/events/evt_x')],
    ['seats', 'PARTNER_DISABLED', ({ client, event }) => client.get(`/events/${event.id}/seats`)],
    [
      'a new booking',
      'PARTNER_DISABLED',
      ({ client, event }) => book(client, event.id, ['seat-1-1']),
    ],
    ['a new order', 'PARTNER_DISABLED', ({ client, bookingId }) => order(client, bookingId)],
    ['reading an order', 200, ({ client, paid }) => findOrder(client, paid.partner_order_id)],
    ['confirm', 200, ({ client, pending }) => confirm(client, pending.order_id, paymentOf(12_000))],
    ['cancel', 200, ({ client, pending }) => cancel(client, pending.order_id)],
    ['refund', 200, (now) => refund(now.client, now.paid.order_id, ticket(now))],
  ]
  for (const [name, outcome, ask] of matrix) {
    test(`${name}: ${outcome}`, async ({ assert }) => {
      const now = await suspended()
      const before = [await countBookings(now.partner), await countOrders(now.partner)]

      const answer = await ask(now)

      if (outcome === 200) assert.equal(answer.status, 200, answer.text)
      else assertRefused(answer, outcome)
      const after = [await countBookings(now.partner), await countOrders(now.partner)]
      assert.deepEqual(after, before)
    })
  }

  test('a resumed partner sells at once', async ({ assert }) => {
    const { client, event, partner } = await suspended()
    await resume(partner)
    assert.equal(statusOf(await book(client, event.id, ['seat-1-1'])), 201)
  })
})

test.group('Pending orders', () => {
  const SEATS = [1, 2, 3, 4, 5].flatMap((row) =>
    Array.from({ length: 10 }, (_, i) => `seat-${row}-${i + 1}`)
  )
  /** Sixty bookings of one seat, over two events. */
  async function sixtyBookings(client: PartnerClient, events: { id: string }[]) {
    const answers = await many(60, (i) =>
      book(client, events[i % 2].id, [SEATS[Math.floor(i / 2)]])
    )
    return answers.map(({ data }) => data.booking_id as string)
  }

  for (const inFlight of [20, 1000]) {
    test(`of 60 simultaneous orders exactly 50 are placed (${inFlight} in flight)`, async ({
      assert,
    }) => {
      const { client, event, partner } = await aSale({ settings: { pendingOrders: 50 } })
      const other = await anEvent()
      await grant(partner, other)
      const bookings = await sixtyBookings(client, [event, other])
      await ownerRows(
        'UPDATE partners SET requests_in_flight = ? WHERE id = ?',
        inFlight,
        partner.id
      )

      const placed = await many(60, async (i) => {
        const body = orderBody(bookings[i])
        for (;;) {
          const answer = await client.post('/orders', body)
          if (answer.error?.code !== 'RATE_LIMIT_EXCEEDED') return answer
          await new Promise((resolve) => setTimeout(resolve, 20))
        }
      })

      assert.lengthOf(withStatus(placed, 201), 50)
      const refused = withStatus(placed, 429)
      assert.lengthOf(refused, 10)
      for (const answer of refused) assertCode(answer, 'PENDING_LIMIT_EXCEEDED')
      assert.equal(await countOrders(partner), 50)
    })
  }

  test('an order that ends makes room for another', async ({ assert }) => {
    const { client, event, order: pending } = await anOrder({ settings: { pendingOrders: 1 } })
    const second = await book(client, event.id, ['seat-1-1'])
    const third = await book(client, event.id, ['seat-1-2'])
    assertCode(await order(client, second.data.booking_id), 'PENDING_LIMIT_EXCEEDED')
    await cancel(client, pending.order_id)

    const answers = [
      await order(client, second.data.booking_id),
      await order(client, third.data.booking_id),
    ]

    assert.deepEqual(
      answers.map(({ status }) => status),
      [201, 429]
    )
  })
})
