import { anEvent, book, paymentOf, sell } from '#tests/support/fixtures'
import type { PartnerClient } from '#tests/support/partner_client'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { BIG_HALL_SEATS, aBigEvent } from './support/big_hall.js'
import { between, outcomeOf, sleep, tally, together } from './support/crowd.js'
import { changeBehindGate } from './support/gate_hold.js'
import { aGate } from './support/gates.js'
import { brokenRules } from './support/invariants.js'
import {
  SMALL_HALL_SEATS,
  aRival,
  orderBody,
  placeOrder,
  placeOrders,
  type Placed,
} from './support/sales.js'
import { count, deadlocks } from './support/sql.js'
import { whileSweeping } from './support/sweep.js'

const confirm = (client: PartnerClient, placed: Placed) =>
  client.post(`/orders/${placed.order_id}/confirm`, paymentOf(placed.total_tenge))
const cancel = (client: PartnerClient, placed: Placed) =>
  client.post(`/orders/${placed.order_id}/cancel`)
const ticketsOf = (placed: Placed) =>
  count('SELECT count(*) FROM tickets WHERE order_id = $1', [placed.order_id])

test.group('Two simultaneous acts on one order', () => {
  test('confirm and cancel: exactly one succeeds, and each answer says which', async ({
    assert,
  }) => {
    const event = await aBigEvent()
    const { client } = await aRival(event)
    const orders = await placeOrders(client, event.id, BIG_HALL_SEATS.slice(0, 150))

    const pairs = await Promise.all(
      orders.map(async (placed) => {
        const late = sleep(between(0, 6))
        return Promise.all([confirm(client, placed), late.then(() => cancel(client, placed))])
      })
    )

    const allowed = ['200 409 ORDER_NOT_CANCELLABLE', '409 ORDER_CANCELLED 200']
    const seen = new Set(pairs.map((pair) => pair.map(outcomeOf).join(' ')))
    assert.includeMembers(allowed, [...seen])
    for (const [[paid], placed] of pairs.map((pair, index) => [pair, orders[index]] as const)) {
      assert.equal(await ticketsOf(placed), paid.status === 200 ? 1 : 0)
    }
    assert.deepEqual(await brokenRules(event.id), [])
  })

  test('cancelled and booked again: no seat is lost and none is held twice', async ({ assert }) => {
    const event = await anEvent()
    const [{ client }, { client: other }] = [await aRival(event), await aRival(event)]
    const orders = await placeOrders(client, event.id, SMALL_HALL_SEATS)

    const bookings = await Promise.all(
      orders.map(async (placed, index) => {
        const [, booking] = await Promise.all([
          cancel(client, placed),
          sleep(between(0, 10)).then(() => book(other, event.id, [SMALL_HALL_SEATS[index]])),
        ])
        return booking
      })
    )

    assert.includeMembers(['201', '409 SEATS_NOT_AVAILABLE'], Object.keys(tally(bookings)))
    assert.deepEqual(await brokenRules(event.id), [])
    const held = `SELECT count(*) FROM event_seats WHERE event_id = $1 AND hold_until > now()`
    assert.equal(await count(held, [event.id]), tally(bookings)[201] ?? 0)
  })

  test('refund and gate scan: the guest is inside or the money is back, never both', async ({
    assert,
  }) => {
    const event = await anEvent()
    const { client } = await aRival(event)
    const gate = await aGate()
    const orders = await Promise.all(
      SMALL_HALL_SEATS.slice(0, 40).map((seat) => sell(client, event.id, [seat]))
    )

    const pairs = await Promise.all(
      orders.map(({ order_id: orderId, tickets: [ticket] }) =>
        Promise.all([
          sleep(between(0, 5)).then(() =>
            client.post(`/orders/${orderId}/refund`, {
              ticket_ids: [ticket.ticket_id],
              reason: 'x',
            })
          ),
          sleep(between(0, 5)).then(() => gate.scan(event.id, ticket.qr_token)),
        ])
      )
    )

    const seen = new Set(pairs.map((pair) => pair.map(outcomeOf).join(' / ')))
    assert.includeMembers(['200 / 409 TICKET_VOID', '409 TICKET_NOT_REFUNDABLE / 200'], [...seen])
    assert.deepEqual(await brokenRules(event.id), [])
  })

  test('two refunds of different tickets: both succeed, the order ends refunded', async ({
    assert,
  }) => {
    const event = await anEvent()
    const { client } = await aRival(event)
    const before = await deadlocks()
    for (let row = 1; row <= 5; row++) {
      const seats = [1, 2, 3, 4].map((seat) => `seat-${row}-${seat}`)
      const { order_id: orderId, tickets } = await sell(client, event.id, seats)
      const refunds = await Promise.all(
        tickets.map((ticket: { ticket_id: string }) =>
          client.post(`/orders/${orderId}/refund`, { ticket_ids: [ticket.ticket_id], reason: 'x' })
        )
      )
      assert.deepEqual(tally(refunds), { 200: 4 })
      const statuses = refunds.map(({ data }) => data.status as string).sort()
      assert.deepEqual(statuses, [...Array<string>(3).fill('partially_refunded'), 'refunded'])
    }
    assert.equal(await deadlocks(), before)
    assert.deepEqual(await brokenRules(event.id), [])
  })

  test('two gates and one ticket: exactly one admits, the others return the time and the gate', async ({
    assert,
  }) => {
    const event = await anEvent()
    const { client } = await aRival(event)
    const gates = [await aGate(), await aGate()]
    const orders = await Promise.all(
      SMALL_HALL_SEATS.slice(0, 25).map((seat) => sell(client, event.id, [seat]))
    )

    for (const { tickets } of orders) {
      const scans = await together(4, (index) =>
        gates[index % 2].scan(event.id, tickets[0].qr_token)
      )
      assert.deepEqual(tally(scans), { '200': 1, '409 TICKET_ALREADY_USED': 3 })
      const { data: first } = scans.find(({ status }) => status === 200)!
      for (const { error } of scans.filter(({ status }) => status !== 200)) {
        assert.containsSubset(error.details, { used_at: first.used_at, gate: first.gate })
      }
    }
    const verdicts = `SELECT count(*) FROM ticket_scans WHERE event_id = $1 AND verdict = 'admitted'`
    assert.equal(await count(verdicts, [event.id]), orders.length)
  })
})

const WINDOW = { holdSeconds: 60, paymentWindowSeconds: 1 }
const EDGE_MS = 30
const ORDERS_AT_THE_EDGE = 60

test.group('End of the payment window', () => {
  for (const isSwept of [false, true]) {
    test(`a confirm within ±${EDGE_MS} ms of it, with a second booker${isSwept ? ' and a sweep' : ''}: never both`, async ({
      assert,
    }) => {
      const event = await aBigEvent()
      const [{ client }, { client: other }] = [await aRival(event, WINDOW), await aRival(event)]
      const seen: Record<string, number> = {}

      const work = async () => {
        for (let round = 0; round < 2; round++) {
          const from = round * ORDERS_AT_THE_EDGE
          const seats = BIG_HALL_SEATS.slice(from, from + ORDERS_AT_THE_EDGE)
          await Promise.all(seats.map((seat) => raceAtTheEdge(seat)))
        }
      }
      const raceAtTheEdge = async (seat: string) => {
        const placed = await placeOrder(client, event.id, [seat])
        const endsIn = Date.parse(placed.expires_at) - Date.now()
        const [paid, rival] = await Promise.all([
          sleep(endsIn + between(-EDGE_MS, EDGE_MS)).then(() => confirm(client, placed)),
          sleep(endsIn + between(-5, EDGE_MS)).then(() => book(other, event.id, [seat])),
        ])
        const outcome = `${outcomeOf(paid)} / ${outcomeOf(rival)}`
        seen[outcome] = (seen[outcome] ?? 0) + 1
        assert.equal(await ticketsOf(placed), paid.status === 200 ? 1 : 0)
      }
      await (isSwept ? whileSweeping(work) : work())

      const allowed = [
        '200 / 409 SEATS_NOT_AVAILABLE',
        '409 ORDER_EXPIRED / 201',
        '409 ORDER_EXPIRED / 409 SEATS_NOT_AVAILABLE',
      ]
      assert.includeMembers(allowed, Object.keys(seen))
      assert.isAbove(seen[allowed[0]] ?? 0, 0, JSON.stringify(seen))
      assert.isAbove(seen[allowed[1]] ?? 0, 0, JSON.stringify(seen))
      assert.deepEqual(await brokenRules(event.id), [])
    })
  }

  test('a confirm that arrived in time counts, although it waited past the end and a sweep ran', async ({
    assert,
  }) => {
    const event = await anEvent()
    const { client } = await aRival(event, WINDOW)
    const placed = await placeOrder(client, event.id, ['seat-1-1'])
    const endsIn = Date.parse(placed.expires_at) - Date.now()

    const paid = await whileSweeping(async () => {
      await sleep(endsIn - 150)
      return changeBehindGate(
        event.id,
        () => confirm(client, placed),
        () => sleep(400)
      )
    })

    assert.equal(outcomeOf(paid), '200')
    assert.deepEqual(await brokenRules(event.id), [])
  })

  test('a late confirm is refused, although nobody has taken the seat', async ({ assert }) => {
    const event = await anEvent()
    const { client } = await aRival(event, WINDOW)
    const placed = await placeOrder(client, event.id, ['seat-1-1'])
    await sleep(Date.parse(placed.expires_at) - Date.now() + 5)

    const late = await confirm(client, placed)

    assert.equal(outcomeOf(late), '409 ORDER_EXPIRED')
    assert.equal(await ticketsOf(placed), 0)
  })
})

test.group('Expired holds', () => {
  test('the seats of an expired booking can be booked at once, without a sweep', async ({
    assert,
  }) => {
    const event = await anEvent()
    const [{ client }, { client: other }] = [
      await aRival(event, { holdSeconds: 1 }),
      await aRival(event),
    ]
    const bookings = await Promise.all(
      SMALL_HALL_SEATS.slice(0, 20).map((seat) => book(client, event.id, [seat]))
    )
    const last = Math.max(...bookings.map(({ data }) => Date.parse(data.expires_at)))
    await sleep(last - Date.now() + 5)

    const taken = await Promise.all(
      SMALL_HALL_SEATS.slice(0, 20).map((seat) => book(other, event.id, [seat]))
    )
    const orders = await Promise.all(
      bookings.map(({ data }) => client.post('/orders', orderBody(data.booking_id)))
    )

    assert.deepEqual(tally(taken), { 201: 20 })
    assert.deepEqual(tally(orders), { '409 BOOKING_EXPIRED': 20 })
    assert.deepEqual(await brokenRules(event.id), [])
  })

  test('an order at the end of its hold is placed or expired, and the seat never has two owners', async ({
    assert,
  }) => {
    const event = await anEvent()
    const [{ client }, { client: other }] = [
      await aRival(event, { holdSeconds: 1 }),
      await aRival(event),
    ]

    const outcomes = await Promise.all(
      SMALL_HALL_SEATS.map(async (seat) => {
        const booking = await book(client, event.id, [seat])
        const endsIn = Date.parse(booking.data.expires_at) - Date.now()
        const pair = await Promise.all([
          sleep(endsIn + between(-EDGE_MS, EDGE_MS)).then(() =>
            client.post('/orders', orderBody(booking.data.booking_id))
          ),
          sleep(endsIn + between(-5, EDGE_MS)).then(() => book(other, event.id, [seat])),
        ])
        return pair.map(outcomeOf).join(' / ')
      })
    )

    const allowed = [
      '201 / 409 SEATS_NOT_AVAILABLE',
      '409 BOOKING_EXPIRED / 201',
      '409 BOOKING_EXPIRED / 409 SEATS_NOT_AVAILABLE',
    ]
    assert.includeMembers(allowed, [...new Set(outcomes)])
    assert.deepEqual(await brokenRules(event.id), [])
  })

  test('short holds and windows under load, with sweeps: nothing is sold twice', async ({
    assert,
  }) => {
    const event = await anEvent()
    const before = await deadlocks()
    const partners = await together(3, () =>
      aRival(event, { holdSeconds: 1, paymentWindowSeconds: 1 })
    )
    const began = Date.now()
    const seen = new Set<string>()
    // As long as a window takes some times over, and until somebody has paid.
    const isOver = () => Date.now() > began + (seen.has('200') ? 3_500 : 30_000)

    await whileSweeping(() =>
      together(30, async (index) => {
        const { client } = partners[index % partners.length]
        while (!isOver()) {
          const seat = SMALL_HALL_SEATS[between(0, SMALL_HALL_SEATS.length - 1)]
          const booking = await book(client, event.id, [seat])
          seen.add(outcomeOf(booking))
          if (booking.status !== 201) continue
          await sleep(Math.random() < 0.5 ? 0 : 995)
          const placed = await client.post('/orders', orderBody(booking.data.booking_id))
          seen.add(outcomeOf(placed))
          if (placed.status !== 201) continue
          await sleep(Math.random() < 0.4 ? 0 : 995)
          seen.add(outcomeOf(await confirm(client, placed.data)))
        }
      })
    )

    const allowed = [
      '200',
      '201',
      '409 SEATS_NOT_AVAILABLE',
      '409 BOOKING_EXPIRED',
      '409 ORDER_EXPIRED',
    ]
    assert.includeMembers(allowed, [...seen])
    assert.include([...seen], '200')
    assert.deepEqual(await brokenRules(event.id), [])
    assert.equal(await deadlocks(), before)
  })

  test('transactions that only refer to orders delay no confirms, cancellations or refunds', async ({
    assert,
  }) => {
    const event = await anEvent()
    const { client } = await aRival(event)
    const [paid, pending, given] = await placeOrders(client, event.id, SMALL_HALL_SEATS.slice(0, 3))
    const { data } = await confirm(client, paid)
    // As a foreign key does, for instance of a register that names them.
    const answers = await db.transaction(async (trx) => {
      await trx.rawQuery('SELECT 1 FROM orders WHERE event_id = ? FOR KEY SHARE', [event.id])
      const refund = { ticket_ids: [data.tickets[0].ticket_id], reason: 'customer_request' }
      return Promise.all([
        client.post(`/orders/${paid.order_id}/refund`, refund),
        confirm(client, pending),
        cancel(client, given),
      ])
    })
    assert.deepEqual(answers.map(outcomeOf), ['200', '200', '200'])
  })
})
