import { closeSaleGate } from '#catalog/sale_gate'
import { anEvent, book, paymentOf } from '#tests/support/fixtures'
import { cancel, confirm } from '#tests/support/operations'
import type { Answer } from '#tests/support/partner_client'
import db from '@adonisjs/lucid/services/db'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { test } from '@japa/runner'
import { outcomeOf, sleep } from './support/crowd.js'
import { aRival, placeOrder } from './support/sales.js'
import { count } from './support/sql.js'

/** Longer than reads and holds wait for a lock, shorter than confirms and cancels. */
const BUSY_MS = 3_500

/** Somebody holds the lock for that long while the request is on its way. */
async function whileHeld(
  hold: (trx: TransactionClientContract) => Promise<unknown>,
  send: () => Promise<Answer>,
  ms = BUSY_MS
) {
  const trx = await db.transaction()
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
