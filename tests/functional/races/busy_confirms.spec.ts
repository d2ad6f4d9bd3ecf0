import { closeSaleGate } from '#catalog/sale_gate'
import platform from '#config/platform'
import { withReserve } from '#shared/connection_places'
import { recordWaitingAttempts } from '#sales/confirm_order/late_attempts'
import { anEvent, book, paymentOf } from '#tests/support/fixtures'
import { cancel, confirm } from '#tests/support/operations'
import type { Answer } from '#tests/support/partner_client'
import db from '@adonisjs/lucid/services/db'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { test } from '@japa/runner'
import { outcomeOf, sleep } from './support/crowd.js'
import { aRival, placeOrder } from './support/sales.js'
import { count, rows } from './support/sql.js'

/** Longer than reads and holds wait for a lock, shorter than confirms and cancels. */
const BUSY_MS = 3_500

/** Somebody holds the lock for that long while the request is on its way. */
async function whileHeld(
  hold: (trx: TransactionClientContract) => Promise<unknown>,
  send: () => Promise<Answer>,
  ms = BUSY_MS
) {
  const trx = await db.connection('owner').transaction()
  await hold(trx)
  const sent = send()
  await sleep(ms)
  await trx.rollback()
  return sent
}

const lockOrder = (orderId: string) => (trx: TransactionClientContract) =>
  trx.rawQuery('SELECT 1 FROM orders WHERE id = ? FOR UPDATE', [orderId])
const lockSeat = (eventId: string) => (trx: TransactionClientContract) =>
  trx.rawQuery(
    `SELECT 1 FROM event_seats WHERE event_id = ? AND space_id = 'seat-1-1' FOR UPDATE`,
    [eventId]
  )

test.group('Sales that wait for locks', (group) => {
  group.each.timeout(30_000)

  async function aPlacedOrder() {
    const event = await anEvent()
    const { client } = await aRival(event)
    const placed = await placeOrder(client, event.id, ['seat-1-1'])
    return { event, client, placed }
  }

  test('a confirm waits for the event’s lock and sells', async ({ assert }) => {
    const { event, client, placed } = await aPlacedOrder()
    const answer = await whileHeld(
      (trx) => closeSaleGate(event.id, trx),
      () => confirm(client, placed.order_id, paymentOf(placed.total_tenge))
    )
    assert.equal(outcomeOf(answer), '200')
  })

  test('a confirm waits for its order, and for its seat', async ({ assert }) => {
    for (const place of ['order', 'seat']) {
      const { event, client, placed } = await aPlacedOrder()
      const hold = place === 'order' ? lockOrder(placed.order_id) : lockSeat(event.id)
      const send = () => confirm(client, placed.order_id, paymentOf(placed.total_tenge))
      assert.equal(outcomeOf(await whileHeld(hold, send)), '200', place)
    }
  })

  test('a cancel waits for its order, and for its seat', async ({ assert }) => {
    for (const place of ['order', 'seat']) {
      const { event, client, placed } = await aPlacedOrder()
      const hold = place === 'order' ? lockOrder(placed.order_id) : lockSeat(event.id)
      const answer = await whileHeld(hold, () => cancel(client, placed.order_id))
      assert.equal(outcomeOf(answer), '200', place)
      assert.equal(answer.data.status, 'cancelled', place)
    }
  })

  test('a confirm gives up before the partner does', async ({ assert }) => {
    const { event, client, placed } = await aPlacedOrder()
    const began = performance.now()
    let tookMs = Infinity
    const send = async () => {
      const answer = await confirm(client, placed.order_id, paymentOf(placed.total_tenge))
      tookMs = performance.now() - began
      return answer
    }
    const answer = await whileHeld((trx) => closeSaleGate(event.id, trx), send, 10_000)
    assert.equal(outcomeOf(answer), '503 SERVICE_BUSY')
    assert.isAbove(tookMs, 5_500)
    assert.isBelow(tookMs, 9_000)
  })

  test('a booking gives up after two seconds, and so does whatever follows on its connection', async ({
    assert,
  }) => {
    const { event, client, placed } = await aPlacedOrder()
    await confirm(client, placed.order_id, paymentOf(placed.total_tenge))
    const answer = await whileHeld(
      (trx) => closeSaleGate(event.id, trx),
      () => book(client, event.id, ['seat-1-2'])
    )
    assert.equal(outcomeOf(answer), '503 SERVICE_BUSY')
    assert.equal(await count('SELECT count(*) FROM bookings WHERE event_id = $1', [event.id]), 1)
  })
})

const requestsWithoutConnection = () =>
  (
    db.connection().getWriteClient().client.pool as { numPendingAcquires(): number }
  ).numPendingAcquires()

/** Also of the share that only confirms and cancels may use. */
const takeConnection = () => withReserve(() => db.transaction())
const takeAllConnections = () =>
  Promise.all(Array.from({ length: platform.databaseConnections }, takeConnection))

async function release(connections: TransactionClientContract[]) {
  for (const trx of connections) await trx.rollback()
}

/** Holds all connections while the request is on its way, except for the one read of its API key. */
async function whileConnectionsAreHeld(send: () => Promise<Answer>, ms: number) {
  const held = await takeAllConnections()
  const sent = send()
  while (requestsWithoutConnection() === 0) await sleep(5)
  // Queues behind the read of the key and before whatever the request needs next.
  const next = takeConnection()
  await release(held.splice(0, 1))
  held.push(await next)
  await sleep(ms)
  await release(held)
  return sent
}

test.group('Arrival of confirms that wait', (group) => {
  group.each.timeout(30_000)

  async function anOrderWithWindow(paymentWindowSeconds: number) {
    const event = await anEvent()
    const partner = await aRival(event, { holdSeconds: 60, paymentWindowSeconds })
    const placed = await placeOrder(partner.client, event.id, ['seat-1-1'])
    return { ...partner, placed }
  }
  /** How long after `sentAt` the only confirm of the order was received, as it is recorded. */
  async function receivedAfterMs(orderId: string, sentAt: number) {
    const [attempt, ...others] = await rows(
      'SELECT received_at FROM confirm_attempts WHERE order_id_sent = $1',
      [orderId]
    )
    if (!attempt || others.length > 0) throw new Error('Not exactly one attempt is recorded')
    return attempt.received_at.getTime() - sentAt
  }

  test('a confirm that arrived a second before the window’s end sells, although it waited two', async ({
    assert,
  }) => {
    const { client, placed } = await anOrderWithWindow(3)
    await sleep(Date.parse(placed.expires_at) - Date.now() - 1_000)
    const sentAt = Date.now()
    const answer = await whileConnectionsAreHeld(
      () => confirm(client, placed.order_id, paymentOf(placed.total_tenge)),
      2_000
    )
    assert.isAbove(Date.now(), Date.parse(placed.expires_at))
    assert.equal(outcomeOf(answer), '200')
    assert.isBelow(await receivedAfterMs(placed.order_id, sentAt), 1_000)
  })

  test('a throttled and a wrongly signed confirm are dated by their arrival', async ({
    assert,
  }) => {
    const wrong = { signature: '0'.repeat(64) }
    for (const [outcome, requestsPerMinute, overrides] of [
      ['429 RATE_LIMIT_EXCEEDED', 1, {}],
      ['401 INVALID_SIGNATURE', 1_000_000, wrong],
    ] as const) {
      const { client, id, placed } = await anOrderWithWindow(60)
      await rows('UPDATE partners SET requests_per_minute = $1 WHERE id = $2', [
        requestsPerMinute,
        id,
      ])
      const path = `/orders/${placed.order_id}/confirm`
      const sentAt = Date.now()
      const answer = await whileConnectionsAreHeld(
        () => client.post(path, paymentOf(placed.total_tenge), overrides),
        2_000
      )
      assert.equal(outcomeOf(answer), outcome)
      assert.isBelow(await receivedAfterMs(placed.order_id, sentAt), 1_000, outcome)
    }
  })

  test('a confirm that could be recorded only later is dated by its arrival', async ({
    assert,
  }) => {
    const { client, placed } = await anOrderWithWindow(60)
    const sentAt = Date.now()
    const trx = await db.connection('owner').transaction()
    await trx.rawQuery('LOCK TABLE confirm_attempts IN SHARE MODE')
    const answer = await confirm(client, placed.order_id, paymentOf(placed.total_tenge))
    await trx.rollback()
    assert.equal(outcomeOf(answer), '503 SERVICE_BUSY')

    const held = await takeAllConnections()
    while (requestsWithoutConnection() === 0) await sleep(5)
    await sleep(1_500)
    await release(held)
    while ((await count(RECORDED, [placed.order_id])) === 0) await sleep(20)
    assert.isBelow(await receivedAfterMs(placed.order_id, sentAt), 1_000)
  })

  test('a confirm that is being recorded while the process stops is recorded once', async ({
    assert,
  }) => {
    const { client, placed } = await anOrderWithWindow(60)
    const trx = await db.connection('owner').transaction()
    await trx.rawQuery('LOCK TABLE confirm_attempts IN SHARE MODE')
    const answer = await confirm(client, placed.order_id, paymentOf(placed.total_tenge))
    assert.equal(outcomeOf(answer), '503 SERVICE_BUSY')
    while ((await count(WAITING_INSERTS)) === 0) await sleep(5)
    const stopped = recordWaitingAttempts()
    await sleep(200)
    await trx.rollback()
    await stopped
    assert.equal(await count(RECORDED, [placed.order_id]), 1)
  })

  test('a confirm that waited for the table of attempts is dated by its arrival', async ({
    assert,
  }) => {
    const { client, placed } = await anOrderWithWindow(3)
    await sleep(Date.parse(placed.expires_at) - Date.now() - 500)
    const answer = await whileHeld(
      (trx) => trx.rawQuery('LOCK TABLE confirm_attempts IN SHARE MODE'),
      () => confirm(client, placed.order_id, paymentOf(placed.total_tenge)),
      1_000
    )
    assert.isAbove(Date.now(), Date.parse(placed.expires_at))
    assert.equal(outcomeOf(answer), '200')
  })
})

const WAITING_INSERTS = `SELECT count(*) FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%INSERT INTO confirm_attempts%'`
const RECORDED = 'SELECT count(*) FROM confirm_attempts WHERE order_id_sent = $1'
