import ChangeEventStatus from '#catalog/actions/change_event_status'
import { setPrices } from '#catalog/event_prices'
import CancelEvent from '#sales/cancel_event/cancel_event'
import { HoldForStorefront, SellToStorefront } from '#inventory/actions/storefront'
import { DEFAULT_SETTINGS } from '#partners/settings'
import { Refusal } from '#shared/refusals'
import { TESTER, anEvent, book, order, paymentOf } from '#tests/support/fixtures'
import type { PartnerClient } from '#tests/support/partner_client'
import db from '@adonisjs/lucid/services/db'
import type { Assert } from '@japa/assert'
import { test } from '@japa/runner'
import { aBigEvent } from './support/big_hall.js'
import { between, outcomeOf, sleep, tally, together } from './support/crowd.js'
import { failuresOf } from './support/failures.js'
import { changeBehindGate } from './support/gate_hold.js'
import { brokenRules } from './support/invariants.js'
import { Rush } from './support/rush.js'
import { SMALL_HALL_SEATS, aRival, placeOrder, placeOrders, rivals } from './support/sales.js'
import { count, rows } from './support/sql.js'

const PROMPT_MS = 2_000

const cancel = (eventId: string) =>
  new CancelEvent().handle({ eventId, reason: 'Отмена', actor: TESTER })
const change = (eventId: string, trigger: 'open' | 'pause' | 'close') =>
  new ChangeEventStatus().handle({ eventId, trigger, reason: null, actor: TESTER })
const confirm = (client: PartnerClient, placed: { order_id: string; total_tenge: number }) =>
  client.post(`/orders/${placed.order_id}/confirm`, paymentOf(placed.total_tenge))

/** The same rows as CancelEvent writes to the event, for a cancellation that somebody waits behind. */
const MARK_CANCELLED = `UPDATE events SET stored_status = 'cancelled', cancelled_at = clock_timestamp(),
  cancellation_reason = 'Отмена' WHERE id = ?`
const MARK_PAUSED = `UPDATE events SET stored_status = 'sales_paused' WHERE id = ?`

test.group('Sales during a change of the event', () => {
  test('a confirm that waited for a cancellation issues no ticket', async ({ assert }) => {
    const event = await anEvent()
    const { client } = await aRival(event)
    const placed = await placeOrder(client, event.id, ['seat-1-1', 'seat-1-2'])

    const answer = await changeBehindGate(
      event.id,
      () => confirm(client, placed),
      (trx) => trx.rawQuery(MARK_CANCELLED, [event.id])
    )

    assert.equal(outcomeOf(answer), '409 EVENT_CANCELLED')
    assert.deepEqual(await brokenRules(event.id), [])
    assert.equal(await count('SELECT count(*) FROM tickets WHERE event_id = $1', [event.id]), 0)
  })

  test('a confirm in time that waited for a cancellation past its window is refused for the event, not as expired', async ({
    assert,
  }) => {
    const event = await anEvent()
    const { client } = await aRival(event, { holdSeconds: 60, paymentWindowSeconds: 2 })
    const placed = await placeOrder(client, event.id, ['seat-1-1'])
    const windowEndsAt = Date.parse(placed.expires_at)
    await sleep(windowEndsAt - Date.now() - 300)

    const answer = await changeBehindGate(
      event.id,
      () => confirm(client, placed),
      async (trx) => {
        await trx.rawQuery(MARK_CANCELLED, [event.id])
        await sleep(windowEndsAt - Date.now() + 100)
      }
    )

    assert.equal(outcomeOf(answer), '409 EVENT_CANCELLED')
    const attempts = await rows(
      'SELECT code, order_status FROM confirm_attempts WHERE order_id_sent = $1',
      [placed.order_id]
    )
    assert.deepEqual(attempts, [{ code: 'EVENT_CANCELLED', order_status: 'pending' }])
  })

  test('a booking that waited for a cancellation holds nothing', async ({ assert }) => {
    const event = await anEvent()
    const { client } = await aRival(event)

    const answer = await changeBehindGate(
      event.id,
      () => book(client, event.id, ['seat-1-1']),
      (trx) => trx.rawQuery(MARK_CANCELLED, [event.id])
    )

    assert.equal(outcomeOf(answer), '409 SALES_NOT_OPEN')
    assert.equal(await count('SELECT count(*) FROM bookings WHERE event_id = $1', [event.id]), 0)
  })

  test('a booking that waited for a pause holds nothing', async ({ assert }) => {
    const event = await anEvent()
    const { client } = await aRival(event)

    const answer = await changeBehindGate(
      event.id,
      () => book(client, event.id, ['seat-1-1']),
      (trx) => trx.rawQuery(MARK_PAUSED, [event.id])
    )

    assert.equal(outcomeOf(answer), '409 SALES_PAUSED')
    assert.equal(await count('SELECT count(*) FROM bookings WHERE event_id = $1', [event.id]), 0)
  })

  test('an order that waited for a cancellation is not placed', async ({ assert }) => {
    const event = await anEvent()
    const { client } = await aRival(event)
    const booking = await book(client, event.id, ['seat-1-1'])

    const answer = await changeBehindGate(
      event.id,
      () => order(client, booking.data.booking_id),
      (trx) => trx.rawQuery(MARK_CANCELLED, [event.id])
    )

    assert.equal(outcomeOf(answer), '409 BOOKING_EXPIRED')
    assert.equal(await count('SELECT count(*) FROM orders WHERE event_id = $1', [event.id]), 0)
  })

  test('a storefront hold that waited for a pause is refused', async ({ assert }) => {
    const event = await anEvent()
    const hold = { eventId: event.id, seats: ['seat-1-1'], holdSeconds: 60, actor: TESTER }

    const outcome = await changeBehindGate(
      event.id,
      () => new HoldForStorefront().handle(hold).catch((error: Error) => error),
      (trx) => trx.rawQuery(MARK_PAUSED, [event.id])
    )

    assert.equal((outcome as { refusalCode?: string }).refusalCode, 'SALES_PAUSED')
  })

  test('confirms during the cancellation of their event: never a valid ticket on a cancelled event', async ({
    assert,
  }) => {
    for (let round = 0; round < 12; round++) {
      const event = await anEvent()
      const { client } = await aRival(event)
      const orders = await placeOrders(client, event.id, SMALL_HALL_SEATS.slice(0, 20))
      const confirmAll = (some: typeof orders, withinMs: number) =>
        Promise.all(
          some.map((placed) => sleep(between(0, withinMs)).then(() => confirm(client, placed)))
        )

      const before = await confirmAll(orders.slice(0, 2), 0)
      const [during] = await Promise.all([
        confirmAll(orders.slice(2, 18), 12),
        sleep(between(0, 10)).then(() => cancel(event.id)),
      ])
      const after = await confirmAll(orders.slice(18), 0)

      const answers = [...before, ...during, ...after]
      assert.deepEqual(before.map(outcomeOf), ['200', '200'])
      assert.deepEqual(after.map(outcomeOf), ['409 EVENT_CANCELLED', '409 EVENT_CANCELLED'])
      assert.sameMembers(Object.keys(tally(answers)), ['200', '409 EVENT_CANCELLED'])
      const valid = `SELECT id FROM tickets WHERE event_id = $1 AND status <> 'void'`
      assert.deepEqual(await rows(valid, [event.id]), [])
      assert.deepEqual(await brokenRules(event.id), [])
      const repeats = await Promise.all(orders.map((placed) => confirm(client, placed)))
      assert.deepEqual(repeats.map(outcomeOf), answers.map(outcomeOf))
    }
  })

  test('the storefront sells nothing after a cancellation', async ({ assert }) => {
    const event = await anEvent()
    const eventId = event.id
    const actor = TESTER
    const carts = await together(20, (index) => {
      const seats = [SMALL_HALL_SEATS[index]]
      return new HoldForStorefront().handle({ eventId, seats, holdSeconds: 60, actor })
    })
    const sellAll = (some: typeof carts, withinMs: number) =>
      Promise.all(some.map(({ cartId }) => sleep(between(0, withinMs)).then(() => sell(cartId))))
    const sell = (cartId: string) =>
      new SellToStorefront().handle({ eventId, cartId, actor }).then(() => 'sold', refusalOf)

    const before = await sellAll(carts.slice(0, 3), 0)
    const [during] = await Promise.all([
      sellAll(carts.slice(3, 17), 8),
      sleep(3).then(() => cancel(eventId)),
    ])
    const after = await sellAll(carts.slice(17), 0)

    assert.deepEqual(before, ['sold', 'sold', 'sold'])
    assert.deepEqual(after, ['SALES_NOT_OPEN', 'SALES_NOT_OPEN', 'SALES_NOT_OPEN'])
    const outcomes = [...before, ...during, ...after]
    assert.sameMembers([...new Set(outcomes)], ['sold', 'SALES_NOT_OPEN'])
    const sales = `SELECT count(*) FROM journal WHERE event_id = $1 AND name = 'storefront_sold'`
    const sold = outcomes.filter((outcome) => outcome === 'sold')
    assert.equal(await count(sales, [eventId]), sold.length)
    const later = `SELECT count(*) FROM journal sale WHERE sale.event_id = $1 AND sale.name = 'storefront_sold'
      AND sale.at > (SELECT at FROM journal WHERE event_id = $1 AND name = 'event_cancelled')`
    assert.equal(await count(later, [eventId]), 0)
  })
})

/** The code of a refusal; any other error is thrown on. */
function refusalOf(error: unknown) {
  if (error instanceof Refusal) return error.refusalCode
  throw error
}

test.group('A change of the event during a rush', () => {
  for (const { name, act, refusalOfBookings, otherRefusals } of [
    {
      name: 'paused',
      act: (id: string) => change(id, 'pause'),
      refusalOfBookings: '409 SALES_PAUSED',
      otherRefusals: [],
    },
    {
      name: 'closed',
      act: (id: string) => change(id, 'close'),
      refusalOfBookings: '409 SALES_NOT_OPEN',
      otherRefusals: [],
    },
    {
      name: 'cancelled',
      act: (id: string) => cancel(id),
      refusalOfBookings: '409 SALES_NOT_OPEN',
      otherRefusals: ['order 409 BOOKING_EXPIRED', 'confirm 409 EVENT_CANCELLED'],
    },
  ]) {
    test(`an event is ${name} within 2 s, and no seat is held afterwards`, async ({ assert }) => {
      const event = await aBigEvent()
      const partners = await rivals(event, 3)
      const clients = partners.map(({ client }) => client)
      const rush = new Rush(event.id, clients)
      let took = 0

      const failures = await failuresOf(() =>
        rush.during(BUYERS, async () => {
          await rush.untilSold(20)
          const began = performance.now()
          await act(event.id)
          took = performance.now() - began
          const afterwards = await together(5, () => book(clients[0], event.id, ['seat-1-1']))
          assert.deepEqual(tally(afterwards), { [refusalOfBookings]: 5 })
        })
      )

      assert.isBelow(took, PROMPT_MS)
      assertOutcomes(assert, rush, [`book ${refusalOfBookings}`, ...otherRefusals])
      assert.deepEqual(failures, {})
      assert.deepEqual(await brokenRules(event.id), [])
      assert.equal(await count(LATER_BOOKINGS, [event.id]), 0)
    })
  }

  test('prices change within 2 s, and bookings keep theirs', async ({ assert }) => {
    const event = await aBigEvent()
    const partners = await rivals(event, 3)
    const rush = new Rush(
      event.id,
      partners.map(({ client }) => client)
    )
    const took: number[] = []

    const failures = await failuresOf(() =>
      rush.during(BUYERS, async () => {
        for (const standard of [20_000n, 30_000n, 40_000n]) {
          await rush.untilSold(10)
          const began = performance.now()
          await db.transaction((trx) => setPrices(event.id, { standard }, trx))
          took.push(performance.now() - began)
        }
        await rush.untilSold(10)
      })
    )

    assert.isBelow(Math.max(...took), PROMPT_MS)
    assertOutcomes(assert, rush)
    assert.deepEqual(failures, {})
    assert.deepEqual(await brokenRules(event.id), [])
  })

  test('with the default limits partners sell until the requests of their minute are used up; nothing fails', async ({
    assert,
  }) => {
    const event = await aBigEvent()
    const partners = await rivals(event, 2, DEFAULT_SETTINGS)
    const mayPass = partners.length * DEFAULT_SETTINGS.requestsPerMinute
    const rush = new Rush(
      event.id,
      partners.map(({ client }) => client)
    )

    // More of them than requests may be in flight, too.
    const buyers = partners.length * (DEFAULT_SETTINGS.requestsInFlight + 5)
    const failures = await failuresOf(() =>
      rush.during(buyers, () => rush.until(() => rush.limited > mayPass))
    )

    assert.deepEqual(failures, {})
    assertOutcomes(
      assert,
      rush,
      ['book', 'order', 'confirm', 'cancel'].map((step) => `${step} 429 RATE_LIMIT_EXCEEDED`)
    )
    assert.isAtLeast(rush.answered - rush.limited, mayPass)
    assert.isAtLeast(rush.sales, partners.length)
    assert.deepEqual(await brokenRules(event.id), [])
  })
})

const BUYERS = 120
/** Bookings whose moment is after the change of status was written. */
const LATER_BOOKINGS = `SELECT count(*) FROM bookings
  WHERE event_id = $1 AND created_at > (
    SELECT max(at) FROM journal
     WHERE event_id = $1 AND (name = 'event_cancelled' OR name = 'event_status_changed' AND change ->> 'to' <> 'sales_open'))`

const ALWAYS_ALLOWED = [
  'book 201',
  'book 409 SEATS_NOT_AVAILABLE',
  'order 201',
  'confirm 200',
  'cancel 200',
]

function assertOutcomes(assert: Assert, { outcomes }: Rush, refusals: string[] = []) {
  const allowed = [...ALWAYS_ALLOWED, ...refusals]
  const others = Object.keys(outcomes).filter((outcome) => !allowed.includes(outcome))
  assert.deepEqual(others, [], JSON.stringify(outcomes))
}
