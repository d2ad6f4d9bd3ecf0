import { closeSaleGate } from '#catalog/sale_gate'
import { aSale, anEvent, book, paymentOf, uniqueKey } from '#tests/support/fixtures'
import { PartnerClient, type Answer } from '#tests/support/partner_client'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { BIG_HALL_SEATS, aBigEvent } from './support/big_hall.js'
import { crowd, outcomeOf, sleep, tally, together } from './support/crowd.js'
import { brokenRules } from './support/invariants.js'
import { aRival, placeOrder, type Placed } from './support/sales.js'
import { count } from './support/sql.js'
import { WebProcess } from './support/web_process.js'

const CONFIRMS = Number(process.env.CRASH_CONFIRMS ?? 500)
const KILLS = Number(process.env.CRASH_KILLS ?? 3)
const UNANSWERED = 'confirm attempt without an answer'

/** How `fetch` fails when the process has gone; any other error is one of the test. */
const NO_ANSWER = TypeError

const WAITING = `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
const isServed = (url: string) =>
  fetch(url).then(
    () => true,
    () => false
  )

test.group('Crashes of a web process', () => {
  test(`killed ${KILLS} times during ${CONFIRMS} confirms: none is lost, half done or repeated`, async ({
    assert,
  }) => {
    const orders = await pendingOrders()
    const web = await WebProcess.start()
    const acknowledged = new Map<string, Answer>()
    let sent = 0

    const confirmUntilAnswered = async (one: PendingOrder) => {
      const client = new PartnerClient(one.client.credentials, web.url)
      for (;;) {
        sent++
        try {
          const answer = await client.post(`/orders/${one.placed.order_id}/confirm`, one.payment)
          acknowledged.set(one.placed.order_id, answer)
          return answer
        } catch (error) {
          assert.instanceOf(error, NO_ANSWER)
          await sleep(40)
        }
      }
    }
    const killRepeatedly = async () => {
      for (let kill = 1; kill <= KILLS; kill++) {
        const mark = (CONFIRMS * kill) / (KILLS + 1)
        while (acknowledged.size < mark) await sleep(1)
        await web.stop('SIGKILL')
        await web.start()
      }
    }
    const [answers] = await Promise.all([
      crowd(
        orders.map((one) => () => confirmUntilAnswered(one)),
        16
      ),
      killRepeatedly(),
    ])
    const repeats = await crowd(
      orders.map((one) => () => confirmUntilAnswered(one)),
      16
    )
    await web.stop()

    assert.deepEqual(tally(answers), { 200: CONFIRMS })
    assert.isAbove(sent, CONFIRMS * 2)
    for (const [index, { data }] of repeats.entries()) {
      assert.lengthOf(data.tickets, 2)
      assert.deepEqual(data, answers[index].data)
    }
    const events = [...new Set(orders.map(({ eventId }) => eventId))]
    for (const eventId of events)
      assert.deepEqual(await brokenRules(eventId, { except: [UNANSWERED] }), [])
    const ids = orders.map(({ placed }) => placed.order_id)
    const tickets = 'SELECT count(*) FROM tickets WHERE order_id = ANY($1)'
    assert.equal(await count(tickets, [ids]), CONFIRMS * 2)
    const answered = `SELECT count(*) FROM confirm_attempts WHERE order_id_sent = ANY($1) AND http_status = 200`
    assert.isAtLeast(await count(answered, [ids]), CONFIRMS * 2)
  }).timeout(120_000)

  test('SIGTERM: requests in flight are answered, then the process ends by itself', async ({
    assert,
  }) => {
    const { client, event } = await aSale()
    const web = await WebProcess.start()
    const there = new PartnerClient(client.credentials, web.url)

    const trx = await db.transaction()
    await closeSaleGate(event.id, trx)
    const inFlight = together(5, (index) => book(there, event.id, [`seat-1-${index + 1}`]))
    // However slow the machine is: all five are there once one of them waits and a moment has gone by.
    while ((await count(WAITING)) === 0) await sleep(10)
    await sleep(300)
    const ended = web.stop('SIGTERM')
    while (await isServed(`${web.url}/health/live`)) await sleep(10)
    await trx.rollback()
    const answers = await inFlight
    const code = await ended

    assert.deepEqual(tally(answers), { 201: 5 })
    assert.equal(code, 0)
    assert.deepEqual(await brokenRules(event.id), [])
  })

  test('SIGTERM under load: every request is answered or was never started, and can be repeated', async ({
    assert,
  }) => {
    const event = await anEvent()
    const { client } = await aRival(event)
    const web = await WebProcess.start()
    const there = new PartnerClient(client.credentials, web.url)
    const bodies = BIG_HALL_SEATS.slice(0, 1).flatMap(() =>
      [1, 2, 3, 4, 5].flatMap((row) =>
        [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((seat) => ({
          event_id: event.id,
          partner_booking_id: uniqueKey('b'),
          seats: [`seat-${row}-${seat}`],
        }))
      )
    )

    let booked = 0
    const send = async (body: object) => {
      try {
        const answer = await there.post('/bookings', body)
        booked++
        return outcomeOf(answer)
      } catch (error) {
        assert.instanceOf(error, NO_ANSWER)
        return 'no answer'
      }
    }

    const sending = crowd(
      bodies.map((body) => () => send(body)),
      8
    )
    while (booked < 10) await sleep(1)
    const code = await web.stop('SIGTERM')
    const outcomes = await sending
    const repeats = await Promise.all(bodies.map((body) => client.post('/bookings', body)))

    assert.equal(code, 0)
    assert.sameMembers([...new Set(outcomes)], ['201', 'no answer'])
    for (const [index, { status }] of repeats.entries()) {
      assert.oneOf(status, outcomes[index] === '201' ? [200] : [200, 201])
    }
    assert.deepEqual(await brokenRules(event.id), [])
  })
})

interface PendingOrder {
  client: PartnerClient
  eventId: string
  placed: Placed
  payment: object
}

/** Orders of two seats each, in halls of 500 seats. */
async function pendingOrders(): Promise<PendingOrder[]> {
  const orders: PendingOrder[] = []
  while (orders.length < CONFIRMS) {
    const event = await aBigEvent()
    const { client } = await aRival(event)
    const pairs = BIG_HALL_SEATS.filter((_, index) => index % 2 === 0).map((seat, index) => [
      seat,
      BIG_HALL_SEATS[index * 2 + 1],
    ])
    const make = pairs.slice(0, CONFIRMS - orders.length).map((seats) => async () => {
      const placed = await placeOrder(client, event.id, seats)
      orders.push({ client, eventId: event.id, placed, payment: paymentOf(placed.total_tenge) })
    })
    await crowd(make, 32)
  }
  return orders
}
