import RevokeKey from '#partners/actions/revoke_key'
import { TESTER, aSale, anEvent, book, paymentOf } from '#tests/support/fixtures'
import { PartnerClient, type Answer } from '#tests/support/partner_client'
import { test } from '@japa/runner'
import { BIG_HALL_SEATS, aBigEvent } from './support/big_hall.js'
import { outcomeOf, sleep, tally, together } from './support/crowd.js'
import { brokenRules } from './support/invariants.js'
import { aRival, orderBody } from './support/sales.js'
import { WebProcess } from './support/web_process.js'

const MOST_ROUNDS = 20

test.group('Two web processes', (group) => {
  let webs: WebProcess[] = []
  group.setup(async () => {
    webs = await Promise.all([1, 2].map(() => WebProcess.start({ LOG_LEVEL: 'warn' })))
  })
  group.teardown(async () => {
    await Promise.all(webs.map((web) => web.stop()))
  })

  /** The same partner at each of the processes. */
  const at = ({ credentials }: PartnerClient) =>
    webs.map((web) => new PartnerClient(credentials, web.url))

  test('a sale over both processes has the same tickets on both', async ({ assert }) => {
    const { client, event } = await aSale()
    const [a, b] = at(client)

    const booking = await book(a, event.id, ['seat-1-1'])
    const placed = await b.post('/orders', orderBody(booking.data.booking_id))
    const path = `/orders/${placed.data.order_id}/confirm`
    const payment = paymentOf(placed.data.total_tenge)
    const paid = await a.post(path, payment)
    const repeat = await b.post(path, payment)

    assert.deepEqual(
      [booking.status, placed.status, paid.status, repeat.status],
      [201, 201, 200, 200]
    )
    assert.deepEqual(repeat.data, paid.data)
  })

  test('a partner’s limit is shared: exactly as many requests pass, and every answer has the remaining budget', async ({
    assert,
  }) => {
    const limit = 40
    const ask = async () => {
      const { client, event } = await aSale({ settings: { requestsPerMinute: limit } })
      const both = at(client)
      return together(120, (index) => both[index % 2].get(`/events/${event.id}`))
    }
    // A process that Redis keeps waiting counts alone for that moment, and says so in its log.
    let answers: Answer[]
    let countedAlone: number
    let rounds = 0
    do {
      if (++rounds > MOST_ROUNDS) throw new Error('In each round a process counted alone.')
      const before = timesCountedAlone(webs)
      answers = await ask()
      countedAlone = timesCountedAlone(webs) - before
    } while (countedAlone > 0)

    assert.deepEqual(tally(answers), { '200': limit, '429 RATE_LIMIT_EXCEEDED': 120 - limit })
    assert.isTrue(isCountedOnce(answers, limit))
    for (const { status, headers } of answers) {
      assert.equal(headers.get('x-ratelimit-limit'), String(limit))
      if (status === 429) assert.match(headers.get('retry-after')!, /^[1-9]\d?$/)
    }
  })

  test('requests in flight are counted over both: never above the cap, none refused below it', async ({
    assert,
  }) => {
    const { client, event } = await aSale({ settings: { requestsInFlight: 4 } })
    const both = at(client)
    const answers = await together(100, (index) => both[index % 2].get(`/events/${event.id}`))
    assert.includeMembers(['200', '429 RATE_LIMIT_EXCEEDED'], Object.keys(tally(answers)))
    assert.isAbove(tally(answers)['429 RATE_LIMIT_EXCEEDED'], 0)

    // A slot is given back when the response has closed, a moment after its answer is read.
    await sleep(100)
    const afterwards = await together(4, (index) => both[index % 2].get(`/events/${event.id}`))
    assert.deepEqual(tally(afterwards), { 200: 4 })
  })

  test('identical requests at both: one 201 per key, the others 200', async ({ assert }) => {
    const event = await aBigEvent()
    const { client } = await aRival(event)
    const both = at(client)

    const races = await Promise.all(
      BIG_HALL_SEATS.slice(0, 40).map((seat) => {
        const key = { partner_booking_id: `b-${seat}` }
        return together(6, (index) => book(both[index % 2], event.id, [seat], key))
      })
    )

    for (const answers of races) assert.deepEqual(tally(answers), { 201: 1, 200: 5 })
    assert.deepEqual(await brokenRules(event.id), [])
  })

  test('two partners at two processes and the same seats: each seat is sold once', async ({
    assert,
  }) => {
    const event = await anEvent()
    const [one, two] = [await aRival(event), await aRival(event)]
    const [clientA, clientB] = [at(one.client)[0], at(two.client)[1]]
    const seats = [1, 2, 3, 4, 5].flatMap((row) => [1, 2, 3, 4].map((n) => `seat-${row}-${n}`))

    const races = await Promise.all(
      seats.map((seat) =>
        Promise.all([book(clientA, event.id, [seat]), book(clientB, event.id, [seat])])
      )
    )

    for (const race of races)
      assert.deepEqual(tally(race), { '201': 1, '409 SEATS_NOT_AVAILABLE': 1 })
    assert.deepEqual(await brokenRules(event.id), [])
  })

  test('a key that was revoked is refused by both at once', async ({ assert }) => {
    const { client, event } = await aSale()
    const both = at(client)
    const before = await together(2, (index) => both[index].get(`/events/${event.id}`))

    await new RevokeKey().handle({ apiKey: client.credentials.apiKey, actor: TESTER })
    const after = await together(2, (index) => both[index].get(`/events/${event.id}`))

    assert.deepEqual(before.map(outcomeOf), ['200', '200'])
    assert.deepEqual(after.map(outcomeOf), ['401 INVALID_API_KEY', '401 INVALID_API_KEY'])
  })

  test('a key revoked under load: no request sent afterwards is answered', async ({ assert }) => {
    const { client, event } = await aSale()
    const both = at(client)
    let revokedAt = Number.POSITIVE_INFINITY
    const late: string[] = []

    const load = together(16, async (index) => {
      while (late.length < 32) {
        const sentAt = performance.now()
        const answer = await both[index % 2].get(`/events/${event.id}`)
        if (sentAt > revokedAt) late.push(outcomeOf(answer))
        if (answer.status === 429) return
      }
    })
    await sleep(200)
    await new RevokeKey().handle({ apiKey: client.credentials.apiKey, actor: TESTER })
    revokedAt = performance.now()
    await load

    assert.include(late, '401 INVALID_API_KEY')
    assert.includeMembers(['401 INVALID_API_KEY', '429 RATE_LIMIT_EXCEEDED'], [...new Set(late)])
  })
})

const timesCountedAlone = (webs: WebProcess[]) =>
  webs.flatMap(({ logged }) => logged).filter(({ msg }) => /limits are kept/.test(msg)).length

/** Whether answers had each remaining number once, from one below the limit down. */
function isCountedOnce(answers: Answer[], limit: number) {
  const remainders = answers.map(({ headers }) => Number(headers.get('x-ratelimit-remaining')))
  const left = remainders.filter((remaining) => remaining > 0)
  return (
    left.length === limit - 1 && new Set(left).size === left.length && Math.max(...left) < limit
  )
}
