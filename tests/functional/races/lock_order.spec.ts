import { HoldForStorefront, SellToStorefront } from '#inventory/actions/storefront'
import CancelEvent from '#sales/cancel_event/cancel_event'
import { takeTurn } from '#shared/turn'
import { TESTER, aSale, anEvent, book, order, paymentOf, sell } from '#tests/support/fixtures'
import { cancel, confirm, refund } from '#tests/support/operations'
import type { Answer } from '#tests/support/partner_client'
import db from '@adonisjs/lucid/services/db'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { test } from '@japa/runner'
import { outcomeOf } from './support/crowd.js'
import { untilSomebodyWaits } from './support/gate_hold.js'
import { aGate } from './support/gates.js'
import { aRival, orderBody, placeOrder } from './support/sales.js'
import { count, rows } from './support/sql.js'

/** In the order of their ids, which differs from the alphabet's: `seat-2-10` would come second. */
const SEATS = [1, 2, 3, 4, 5, 8, 9, 10].map((seat) => `seat-2-${seat}`)
/** Asked for in an order of their own. */
const SHUFFLED = [5, 0, 7, 2, 6, 1, 4, 3].map((index) => SEATS[index])
const HELD = 5

const holdSeat = (eventId: string, seat: string, holding: TransactionClientContract) =>
  holding.rawQuery(
    'SELECT 1 FROM event_seats WHERE event_id = ? AND space_id = ? FOR NO KEY UPDATE',
    [eventId, seat]
  )

/** The seats that nobody has locked, while the act waits for the sixth of the eight. */
async function unlockedDuring(eventId: string, act: () => Promise<unknown>) {
  const holding = await db.transaction()
  await holdSeat(eventId, SEATS[HELD], holding)
  const acted = act()
  await untilSomebodyWaits()
  const unlocked = await rows(
    `SELECT space_id FROM event_seats WHERE event_id = $1 AND space_id = ANY($2)
      ORDER BY id FOR NO KEY UPDATE SKIP LOCKED`,
    [eventId, SEATS]
  )
  await holding.rollback()
  await acted
  return unlocked.map(({ space_id: id }) => id as string)
}

test.group('Seats are locked one after the other in the order of their ids', () => {
  const partnerActs = {
    'a booking': async () => {
      const { client, event } = await aSale()
      return { event, act: () => book(client, event.id, SHUFFLED) }
    },
    'an order': async () => {
      const { client, event } = await aSale()
      const { data: booking } = await book(client, event.id, SHUFFLED)
      return { event, act: () => order(client, booking.booking_id) }
    },
    'a confirm': async () => {
      const { client, event } = await aSale()
      const placed = await placeOrder(client, event.id, SHUFFLED)
      return { event, act: () => confirm(client, placed.order_id, paymentOf(placed.total_tenge)) }
    },
    'a cancellation': async () => {
      const { client, event } = await aSale()
      const placed = await placeOrder(client, event.id, SHUFFLED)
      return { event, act: () => cancel(client, placed.order_id) }
    },
    'a refund': async () => {
      const { client, event } = await aSale()
      const { order_id: orderId, tickets } = await sell(client, event.id, SHUFFLED)
      const ids = tickets.map((ticket: { ticket_id: string }) => ticket.ticket_id)
      return { event, act: () => refund(client, orderId, ids) }
    },
  } as const

  for (const [name, prepare] of Object.entries(partnerActs)) {
    test(name, async ({ assert }) => {
      const { event, act } = await prepare()
      const answers: Answer[] = []
      const unlocked = await unlockedDuring(event.id, async () => answers.push(await act()))
      assert.deepEqual(unlocked, SEATS.slice(HELD + 1))
      assert.include([200, 201], answers[0].status)
    })
  }

  test('a hold of the box office', async ({ assert }) => {
    const { id: eventId } = await anEvent()
    const hold = { eventId, seats: SHUFFLED, holdSeconds: 60, actor: TESTER }
    const unlocked = await unlockedDuring(eventId, () => new HoldForStorefront().handle(hold))
    assert.deepEqual(unlocked, SEATS.slice(HELD + 1))
  })

  test('a sale of the box office', async ({ assert }) => {
    const { id: eventId } = await anEvent()
    const hold = { eventId, seats: SHUFFLED, holdSeconds: 60, actor: TESTER }
    const { cartId } = await new HoldForStorefront().handle(hold)
    const sale = { eventId, cartId, actor: TESTER }
    const unlocked = await unlockedDuring(eventId, () => new SellToStorefront().handle(sale))
    assert.deepEqual(unlocked, SEATS.slice(HELD + 1))
  })
})

test.group('An act that has waited for a lock looks again', () => {
  test('a cancellation of an order leaves seats that another has booked meanwhile', async ({
    assert,
  }) => {
    const event = await anEvent()
    const [{ client }, { client: other }] = [await aRival(event), await aRival(event)]
    const placed = await placeOrder(client, event.id, ['seat-1-1', 'seat-1-2'])
    const holding = await db.transaction()
    await holding.rawQuery('SELECT 1 FROM orders WHERE id = ? FOR NO KEY UPDATE', [placed.order_id])

    const cancelled = cancel(client, placed.order_id)
    await untilSomebodyWaits()
    // The hold runs out while the cancellation waits, and the other one books.
    await rows(`UPDATE event_seats SET hold_until = clock_timestamp() WHERE held_by = $1`, [
      placed.booking_id,
    ])
    const { data: booking } = await book(other, event.id, ['seat-1-1'])
    await holding.rollback()

    assert.equal(outcomeOf(await cancelled), '200')
    const held = 'SELECT count(*) FROM event_seats WHERE held_by = $1 AND hold_until > now()'
    assert.equal(await count(held, [booking.booking_id]), 1)
  })

  test('a confirm pays nothing when one of its seats went to another meanwhile', async ({
    assert,
  }) => {
    const event = await anEvent()
    const [{ client }, { client: other }] = [await aRival(event), await aRival(event)]
    const placed = await placeOrder(client, event.id, ['seat-1-1', 'seat-1-2'])
    const holding = await db.transaction()
    await holding.rawQuery('SELECT 1 FROM orders WHERE id = ? FOR NO KEY UPDATE', [placed.order_id])

    const confirmed = confirm(client, placed.order_id, paymentOf(placed.total_tenge))
    await untilSomebodyWaits()
    await rows(`UPDATE event_seats SET hold_until = clock_timestamp() WHERE held_by = $1`, [
      placed.booking_id,
    ])
    await book(other, event.id, ['seat-1-1'])
    await holding.rollback()

    assert.equal(outcomeOf(await confirmed), '409 ORDER_EXPIRED')
    assert.equal(await count('SELECT count(*) FROM tickets WHERE event_id = $1', [event.id]), 0)
  })

  test('of two bookings that have waited for one seat the second is refused', async ({
    assert,
  }) => {
    const event = await anEvent()
    const both = [await aRival(event), await aRival(event)]
    const holding = await db.transaction()
    await holdSeat(event.id, 'seat-1-1', holding)

    const booked = both.map(({ client }) => book(client, event.id, ['seat-1-1', 'seat-1-2']))
    await untilSomebodyWaits(2)
    await holding.rollback()

    const answers = await Promise.all(booked)
    assert.sameMembers(answers.map(outcomeOf), ['201', '409 SEATS_NOT_AVAILABLE'])
  })

  test('a booking that has waited holds its seats for the whole time', async ({ assert }) => {
    const { client, event } = await aSale()
    const holding = await db.transaction()
    await holdSeat(event.id, 'seat-1-1', holding)

    const booked = book(client, event.id, ['seat-1-1'])
    await untilSomebodyWaits()
    const [{ at: waitedUntil }] = await rows('SELECT clock_timestamp() AS at')
    await holding.rollback()

    const { data } = await booked
    const since = 'SELECT count(*) FROM bookings WHERE id = $1 AND created_at > $2'
    assert.equal(await count(since, [data.booking_id, waitedUntil]), 1)
  })

  test('a repeat of an order near the cap is answered with what it has waited for', async ({
    assert,
  }) => {
    const settings = { pendingOrders: 3, requestsInFlight: 8 }
    const { client, partner, event } = await aSale({ settings })
    const { data: booking } = await book(client, event.id, ['seat-1-1'])
    const body = orderBody(booking.booking_id)

    const holding = await db.transaction()
    await takeTurn(`pending:${partner.id}`, holding)
    const sent = [client.post('/orders', body), client.post('/orders', body)]
    await untilSomebodyWaits(sent.length)
    await holding.rollback()

    const answers = await Promise.all(sent)
    assert.sameMembers(answers.map(outcomeOf), ['201', '200'])
  })

  test('a cancellation of an order that has waited for its confirm is refused', async ({
    assert,
  }) => {
    const { client, event } = await aSale()
    const placed = await placeOrder(client, event.id, ['seat-1-1'])
    const holding = await db.transaction()
    await holdSeat(event.id, 'seat-1-1', holding)

    const confirmed = confirm(client, placed.order_id, paymentOf(placed.total_tenge))
    await untilSomebodyWaits()
    const cancelled = cancel(client, placed.order_id)
    await untilSomebodyWaits(2)
    await holding.rollback()

    assert.equal(outcomeOf(await confirmed), '200')
    assert.equal(outcomeOf(await cancelled), '409 ORDER_NOT_CANCELLABLE')
  })

  const losses = {
    'another holds': `held_by = 'crt_01kbzzzzzzzzzzzzzzzzzzzzzz'`,
    'is sold already': `state = 'sold', hold_until = NULL`,
  }
  for (const [loss, change] of Object.entries(losses)) {
    test(`an order is not placed when a seat of its booking ${loss}`, async ({ assert }) => {
      const { client, event } = await aSale()
      const { data: booking } = await book(client, event.id, ['seat-1-1', 'seat-1-2'])
      await rows(`UPDATE event_seats SET ${change} WHERE event_id = $1 AND space_id = 'seat-1-1'`, [
        event.id,
      ])
      assert.equal(outcomeOf(await order(client, booking.booking_id)), '503 SERVICE_BUSY')
      assert.equal(await count('SELECT count(*) FROM orders WHERE event_id = $1', [event.id]), 0)
    })
  }

  const changes = {
    'has expired': [`stored_status = 'expired'`, '409 ORDER_EXPIRED'],
    'costs more': ['total_tenge = total_tenge + 1', '422 INVALID_PARAMETERS'],
  }
  for (const [state, [change, outcome]] of Object.entries(changes)) {
    test(`a confirm pays nothing when its order ${state} meanwhile`, async ({ assert }) => {
      const { client, event } = await aSale()
      const placed = await placeOrder(client, event.id, ['seat-1-1', 'seat-1-2'])
      // By the owner: no statement of the application changes a total.
      const holding = await db.connection('owner').transaction()
      await holding.rawQuery(`UPDATE orders SET ${change} WHERE id = ?`, [placed.order_id])

      const confirmed = confirm(client, placed.order_id, paymentOf(placed.total_tenge))
      await untilSomebodyWaits()
      await holding.commit()

      assert.equal(outcomeOf(await confirmed), outcome)
      assert.equal(await count('SELECT count(*) FROM tickets WHERE event_id = $1', [event.id]), 0)
    })
  }

  test('a cancellation of an event leaves a ticket used that a gate is admitting', async ({
    assert,
  }) => {
    const { client, event } = await aSale()
    const { tickets } = await sell(client, event.id, ['seat-1-1', 'seat-1-2'])
    const [admitted, other] = tickets as { ticket_id: string; qr_token: string }[]
    const gate = await aGate()
    const holding = await db.transaction()
    await holding.rawQuery('SELECT 1 FROM tickets WHERE id = ? FOR UPDATE', [admitted.ticket_id])

    const scanned = gate.scan(event.id, admitted.qr_token)
    await untilSomebodyWaits()
    const cancelled = new CancelEvent().handle({
      eventId: event.id,
      reason: 'Отмена',
      actor: TESTER,
    })
    await untilSomebodyWaits(2)
    await holding.rollback()

    assert.equal(outcomeOf(await scanned), '200')
    const { tickets_voided: voided } = await cancelled
    assert.equal(voided, 1)
    const statuses = await rows('SELECT id, status FROM tickets WHERE event_id = $1', [event.id])
    assert.sameDeepMembers(statuses, [
      { id: admitted.ticket_id, status: 'used' },
      { id: other.ticket_id, status: 'void' },
    ])
  })
})
