import { aSale, book, paymentOf } from '#tests/support/fixtures'
import { bookingBody } from '#tests/support/operations'
import { PartnerClient, type Answer } from '#tests/support/partner_client'
import { connectToServer, signedBytes } from '#tests/support/raw_socket'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { BIG_HALL_SEATS, aBigEvent } from './support/big_hall.js'
import { between, outcomeOf, sleep, tally, together } from './support/crowd.js'
import { untilSomebodyWaits } from './support/gate_hold.js'
import { brokenRules } from './support/invariants.js'
import { RedisProcess } from './support/redis_process.js'
import { SMALL_HALL_SEATS, aRival, orderBody } from './support/sales.js'
import { deadlocks, rows } from './support/sql.js'
import { WebProcess } from './support/web_process.js'

const HEADERS = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'x-request-id']
const hasHeaders = ({ headers }: Answer) => HEADERS.every((name) => headers.has(name))

test.group('Loss of Redis', (group) => {
  let redis: RedisProcess
  let web: WebProcess
  group.setup(async () => {
    redis = await RedisProcess.start()
    web = await WebProcess.start({ REDIS_URL: redis.url })
  })
  group.each.setup(() => redis.bringBack())
  group.teardown(async () => {
    await web.stop()
    await redis.kill()
  })

  async function aSaleThere(settings = {}) {
    const sale = await aSale({ settings })
    return { ...sale, there: new PartnerClient(sale.client.credentials, web.url) }
  }

  test('Redis killed: sales go on with limits and headers, and limits are shared again once it is back', async ({
    assert,
  }) => {
    const { there, event, partner } = await aSaleThere()
    const before = await book(there, event.id, ['seat-1-1'])
    await redis.kill()

    const without = await together(20, (index) =>
      book(there, event.id, [SMALL_HALL_SEATS[index + 10]])
    )
    await redis.start()
    const isShared = await untilCounted(redis, there, event.id, partner.id)
    const after = await book(there, event.id, ['seat-1-2'])

    const answers = [before, ...without, after]
    assert.deepEqual(tally(answers), { 201: 22 })
    assert.isTrue(answers.every(hasHeaders))
    assert.isTrue(isShared, 'counted in Redis within 5 s')
  })

  test('without Redis the limit holds within the process', async ({ assert }) => {
    const limit = 15
    const { there, event } = await aSaleThere({ requestsPerMinute: limit })
    await redis.kill()

    const answers = await together(50, () => there.get(`/events/${event.id}`))
    await redis.start()

    assert.deepEqual(tally(answers), { '200': limit, '429 RATE_LIMIT_EXCEEDED': 50 - limit })
    assert.isTrue(answers.every(hasHeaders))
  })

  test('without Redis a client that disconnects frees its slot', async ({ assert }) => {
    const { there, event } = await aSaleThere({ requestsInFlight: 1 })
    await redis.kill()
    const holding = await db.transaction()
    await holding.rawQuery('SELECT 1 FROM event_seats WHERE event_id = ? FOR UPDATE', [event.id])
    const socket = await connectToServer(web.url)
    socket.on('error', () => {})
    const body = JSON.stringify(bookingBody(event.id))
    socket.write(signedBytes(there, 'POST', '/bookings', body))
    await untilSomebodyWaits()
    const during = await there.get(`/events/${event.id}`)
    socket.resetAndDestroy()
    await sleep(100)
    const after = await there.get(`/events/${event.id}`)
    await holding.rollback()
    await redis.start()

    assert.deepEqual([during, after].map(outcomeOf), ['429 RATE_LIMIT_EXCEEDED', '200'])
  })

  test('a request that began with Redis frees its slot when Redis is lost before its end', async ({
    assert,
  }) => {
    const { there, event } = await aSaleThere({ requestsInFlight: 1 })
    const holding = await db.transaction()
    await holding.rawQuery('SELECT 1 FROM event_seats WHERE event_id = ? FOR UPDATE', [event.id])
    const booking = book(there, event.id, ['seat-1-1'])
    await untilSomebodyWaits()
    await redis.kill()

    const during = await there.get(`/events/${event.id}`)
    await holding.rollback()
    const booked = await booking
    const after = await there.get(`/events/${event.id}`)
    await redis.start()

    const outcomes = [during, booked, after].map(outcomeOf)
    assert.deepEqual(outcomes, ['429 RATE_LIMIT_EXCEEDED', '201', '200'])
  })

  test('Redis frozen: requests wait for it only a moment, and none fails', async ({ assert }) => {
    const { there, event } = await aSaleThere()
    await there.get(`/events/${event.id}`)
    redis.freeze()

    const took: number[] = []
    const answers: Answer[] = []
    for (let i = 0; i < 10; i++) {
      const began = performance.now()
      answers.push(await book(there, event.id, [SMALL_HALL_SEATS[i]]))
      took.push(performance.now() - began)
    }
    redis.thaw()
    await sleep(300)
    const after = await there.get(`/events/${event.id}`)

    assert.deepEqual(tally(answers), { 201: 10 })
    assert.isTrue([...answers, after].every(hasHeaders))
    took.sort((a, b) => a - b)
    assert.isBelow(took[5], 500)
    assert.equal(after.status, 200)
  })

  test('a process without Redis is ready and reports it', async ({ assert }) => {
    await redis.kill()
    const response = await fetch(`${web.url}/health/ready`)
    const body = (await response.json()) as object
    await redis.start()
    assert.deepEqual(
      [response.status, body],
      [200, { status: 'ready', postgres: true, redis: false }]
    )
  })

  test('a frozen Redis does not delay the readiness check', async ({ assert }) => {
    redis.freeze()
    const began = performance.now()
    const response = await fetch(`${web.url}/health/ready`)
    const took = performance.now() - began
    assert.equal(response.status, 200)
    assert.isBelow(took, 2_000)
  })

  test('a process starts and sells without Redis', async ({ assert }) => {
    await redis.kill()
    const lonely = await WebProcess.start({ REDIS_URL: redis.url })
    const { client, event } = await aSale()
    const answer = await book(new PartnerClient(client.credentials, lonely.url), event.id, [
      'seat-1-1',
    ])
    const code = await lonely.stop()
    await redis.start()
    assert.equal(outcomeOf(answer), '201')
    assert.equal(code, 0)
  })
})

test.group('Loss of PostgreSQL', () => {
  test('connections ended repeatedly under load: the process lives, 503 has Retry-After, no work is half done', async ({
    assert,
  }) => {
    const event = await aBigEvent()
    const { client } = await aRival(event)
    const web = await WebProcess.start()
    const there = new PartnerClient(client.credentials, web.url)
    const deadlocksBefore = await deadlocks()
    const answers: Answer[] = []
    const until = Date.now() + 3_000

    const load = together(16, async () => {
      while (Date.now() < until) {
        const seat = BIG_HALL_SEATS[between(0, BIG_HALL_SEATS.length - 1)]
        const booking = await book(there, event.id, [seat])
        answers.push(booking)
        if (booking.status !== 201) continue
        const placed = await there.post('/orders', orderBody(booking.data.booking_id))
        answers.push(placed)
        if (placed.status !== 201) continue
        const payment = paymentOf(placed.data.total_tenge)
        answers.push(await there.post(`/orders/${placed.data.order_id}/confirm`, payment))
      }
    })
    let ended = 0
    while (Date.now() < until - 300) {
      await sleep(150)
      const connections = await rows(END_CONNECTIONS)
      ended += connections.length
    }
    await load
    const recovered = await there.get(`/events/${event.id}`)

    const counts = tally(answers)
    assert.isAbove(ended, 20)
    assert.isTrue(web.isRunning)
    assert.equal(recovered.status, 200)
    const allowed = ['200', '201', '409 SEATS_NOT_AVAILABLE', '503 SERVICE_BUSY']
    assert.includeMembers(allowed, Object.keys(counts), JSON.stringify(counts))
    assert.isAbove(counts['503 SERVICE_BUSY'], 0)
    for (const { status, headers } of answers)
      if (status === 503) assert.match(headers.get('retry-after')!, /^[1-9]\d*$/)
    assert.deepEqual(
      await brokenRules(event.id, { except: ['confirm attempt without an answer'] }),
      []
    )
    assert.deepEqual(await lostOf(answers), [])
    assert.equal(await deadlocks(), deadlocksBefore)
    await web.stop()
  })

  test('a process without PostgreSQL is live and not ready', async ({ assert }) => {
    const gone = 'postgres://nobody:x@127.0.0.1:1/none'
    const web = await WebProcess.start({ DATABASE_URL: gone })
    const [ready, live] = await Promise.all([
      fetch(`${web.url}/health/ready`),
      fetch(`${web.url}/health/live`),
    ])
    await web.stop()
    assert.deepEqual([ready.status, live.status], [503, 200])
  })
})

/** Bookings and orders that were acknowledged and are not there. */
async function lostOf(answers: Answer[]) {
  const acknowledged = answers.filter(({ status }) => status === 201).map(({ data }) => data)
  const ids = acknowledged.map((one) => (one.order_id ?? one.booking_id) as string)
  return rows(
    `SELECT id FROM unnest($1::text[]) id
      WHERE id NOT IN (SELECT id FROM bookings) AND id NOT IN (SELECT id FROM orders)`,
    [ids]
  )
}

const END_CONNECTIONS = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND application_name = 'ticket-partners' AND pid <> pg_backend_pid()`

/** Whether the partner's requests are counted in Redis, as soon as they are. */
async function untilCounted(
  redis: RedisProcess,
  client: PartnerClient,
  eventId: string,
  id: number
) {
  const deadline = Date.now() + 5_000
  while (Date.now() < deadline) {
    await client.get(`/events/${eventId}`)
    if (await redis.has(`limits:rate:partner:${id}`)) return true
    await sleep(100)
  }
  return false
}
