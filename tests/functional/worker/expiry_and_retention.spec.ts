import platform from '#config/platform'
import followSalesClock from '#catalog/jobs/follow_sales_clock'
import expireOverdue from '#sales/expire_overdue/expire_overdue'
import expireTickets from '#tickets/jobs/expire_tickets'
import pruneOpenings from '#tickets/jobs/prune_openings'
import pruneSessions from '#staff/jobs/prune_sessions'
import pruneDeliveries from '#webhooks/jobs/prune_deliveries'
import SetEndpoint from '#webhooks/actions/set_endpoint'
import { dataOf } from '#tests/support/answers'
import { moveStart } from '#tests/support/circumstances'
import { anEvent, aPartner, aSale, book, order, sell, TESTER } from '#tests/support/fixtures'
import { one, ownerRows, rows, takenSeats } from '#tests/support/rows'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'

const endEvent = (id: string, ago: string) =>
  ownerRows(
    `UPDATE events SET starts_at = clock_timestamp() - ?::interval - interval '3 hours',
            ends_at = clock_timestamp() - ?::interval WHERE id = ?`,
    ago,
    ago,
    id
  )
const statuses = async (orderId: string) => {
  const tickets = await rows(
    'SELECT status FROM tickets WHERE order_id = ? ORDER BY position',
    orderId
  )
  return tickets.map(({ status }) => status as string)
}

const storedStatus = async (table: 'bookings' | 'events' | 'orders', id: string) => {
  const { stored_status: status } = await one(`SELECT stored_status FROM ${table} WHERE id = ?`, id)
  return status as string
}

test.group('Expired bookings and orders', () => {
  test('a booking reads as expired at its moment; the sweep stores it afterwards', async ({
    assert,
  }) => {
    const { client, event } = await aSale()
    const booking = dataOf(await book(client, event.id, ['seat-1-1']))
    await ownerRows(`UPDATE bookings SET expires_at = now() WHERE id = ?`, booking.booking_id)
    await ownerRows(
      `UPDATE event_seats SET hold_until = now() WHERE held_by = ?`,
      booking.booking_id
    )

    assert.deepEqual(await takenSeats(event), [])
    const late = await order(client, booking.booking_id)
    assert.equal(late.error?.code, 'BOOKING_EXPIRED')
    assert.equal(await storedStatus('bookings', booking.booking_id), 'active')
    await expireOverdue()
    assert.equal(await storedStatus('bookings', booking.booking_id), 'expired')
  })

  test('the sweep leaves a booking until its last moment', async ({ assert }) => {
    const { client, event } = await aSale()
    const { booking_id: id } = dataOf(await book(client, event.id, ['seat-1-1']))
    await ownerRows(
      `UPDATE bookings SET expires_at = clock_timestamp() + interval '10 seconds' WHERE id = ?`,
      id
    )
    await expireOverdue()
    assert.equal(await storedStatus('bookings', id as string), 'active')
  })

  test('the sweep does not wait for a booking that somebody holds', async ({ assert }) => {
    const { client, event } = await aSale()
    const [held, free] = [
      dataOf(await book(client, event.id, ['seat-1-1'])).booking_id as string,
      dataOf(await book(client, event.id, ['seat-1-2'])).booking_id as string,
    ]
    await ownerRows(`UPDATE bookings SET expires_at = now() WHERE event_id = ?`, event.id)
    const holding = await db.transaction()
    await holding.rawQuery('SELECT 1 FROM bookings WHERE id = ? FOR UPDATE', [held])
    try {
      await expireOverdue()
    } finally {
      await holding.rollback()
    }
    assert.equal(await storedStatus('bookings', held), 'active')
    assert.equal(await storedStatus('bookings', free), 'expired')
  })

  test('the sweep stores all that are due, also more than a batch', async ({ assert }) => {
    const { partner, event } = await aSale()
    await ownerRows(
      `INSERT INTO bookings (id, partner_id, partner_booking_id, event_id, total_tenge, ttl_seconds, created_at, expires_at)
       SELECT 'bkg_' || ? || lpad(n::text, 14, '0'), ?, 'swept-' || n, ?, 0, 180, now() - interval '2 days', now() - interval '1 day'
         FROM generate_series(1, 1100) n`,
      event.id.slice(-12),
      partner.id,
      event.id
    )
    await expireOverdue()
    const { n } = await one(
      `SELECT count(*)::int AS n FROM bookings WHERE event_id = ? AND stored_status = 'expired'`,
      event.id
    )
    assert.equal(n, 1_100)
  })

  test('the sweep does not wait for an order that somebody holds', async ({ assert }) => {
    const { client, event } = await aSale()
    const placed = async (seat: string) => {
      const booking = dataOf(await book(client, event.id, [seat]))
      return dataOf(await order(client, booking.booking_id)).order_id as string
    }
    const [held, free] = [await placed('seat-1-1'), await placed('seat-1-2')]
    await ownerRows(
      `UPDATE orders SET window_ends_at = clock_timestamp() - interval '31 seconds' WHERE event_id = ?`,
      event.id
    )
    const holding = await db.transaction()
    await holding.rawQuery('SELECT 1 FROM orders WHERE id = ? FOR NO KEY UPDATE', [held])
    try {
      await expireOverdue()
    } finally {
      await holding.rollback()
    }
    assert.equal(await storedStatus('orders', held), 'pending')
    assert.equal(await storedStatus('orders', free), 'expired')
  })

  test('the sweep stores an expired order 30 seconds after its window', async ({ assert }) => {
    const { client, event } = await aSale()
    const booking = dataOf(await book(client, event.id, ['seat-1-1']))
    const { order_id: id } = dataOf(await order(client, booking.booking_id))
    const endWindow = (ago: string) =>
      ownerRows(`UPDATE orders SET window_ends_at = now() - ?::interval WHERE id = ?`, ago, id)

    await endWindow('20 seconds')
    await expireOverdue()
    assert.equal(await storedStatus('orders', id), 'pending')
    await endWindow('30 seconds')
    await expireOverdue()
    assert.equal(await storedStatus('orders', id), 'expired')
  })
})

test.group('Sales of events that begin', () => {
  test('scheduled, open and paused sales are closed at the start, and the journal says from what', async ({
    assert,
  }) => {
    for (const from of ['sales_scheduled', 'sales_open', 'sales_paused'] as const) {
      const [begun, later] = [await anEvent({ status: from }), await anEvent({ status: from })]
      await moveStart(begun, '-1 minute')
      await followSalesClock()
      assert.equal(await storedStatus('events', begun.id), 'sales_closed')
      assert.equal(await storedStatus('events', later.id), from)
      const steps = await rows(
        `SELECT name, change ->> 'from' AS before, change ->> 'to' AS after FROM journal
          WHERE event_id = ? AND actor_kind = 'clock'`,
        begun.id
      )
      assert.deepEqual(steps, [
        { name: 'event_status_changed', before: from, after: 'sales_closed' },
      ])
    }
  })
})

test.group('Tickets of past events', () => {
  test('active tickets expire; used, void and future ones do not', async ({ assert }) => {
    const [past, future] = [await aSale(), await aSale()]
    const old = await sell(past.client, past.event.id, ['seat-1-1', 'seat-1-2', 'seat-1-3'])
    const young = await sell(future.client, future.event.id, ['seat-1-1'])
    const [used, voided] = old.tickets
    await ownerRows(
      `UPDATE tickets SET status = 'used', used_at = clock_timestamp() WHERE id = ?`,
      used.ticket_id
    )
    await ownerRows(
      `UPDATE tickets SET status = 'void', void_cause = 'platform', voided_at = clock_timestamp(), voided_by = 'x' WHERE id = ?`,
      voided.ticket_id
    )
    await endEvent(past.event.id, '1 minute')
    await Promise.all([expireTickets(), expireTickets()])

    assert.deepEqual(await statuses(old.order_id), ['used', 'void', 'expired'])
    assert.deepEqual(await statuses(young.order_id), ['active'])
  })

  test('the sweep does not wait for a ticket that a gate holds', async ({ assert }) => {
    const { client, event } = await aSale()
    const sold = await sell(client, event.id, ['seat-1-1', 'seat-1-2'])
    await endEvent(event.id, '1 minute')
    const holding = await db.transaction()
    await holding.rawQuery('SELECT 1 FROM tickets WHERE id = ? FOR UPDATE', [
      sold.tickets[0].ticket_id,
    ])
    try {
      await expireTickets()
    } finally {
      await holding.rollback()
    }
    assert.deepEqual(await statuses(sold.order_id), ['active', 'expired'])
  })

  test('a partner reads tickets of a past event as expired, before and after that is stored', async ({
    assert,
  }) => {
    const { client, event } = await aSale()
    const sold = await sell(client, event.id, ['seat-2-1'])
    await endEvent(event.id, '1 second')
    const read = async () => {
      const { data } = await client.get(`/orders?partner_order_id=${sold.partner_order_id}`)
      return data.tickets[0].status
    }
    assert.equal(await read(), 'expired')
    await expireTickets()
    assert.equal(await read(), 'expired')
  })
})

test.group('Log of webhooks', () => {
  test('deliveries that ended {$self} days ago are deleted with their attempts')
    .with([90, 7])
    .run(async ({ assert, cleanup }, days) => {
      const { webhookRetentionDays } = platform
      cleanup(() => {
        platform.webhookRetentionDays = webhookRetentionDays
      })
      assert.equal(webhookRetentionDays, 90, 'unless it is set')
      platform.webhookRetentionDays = days
      const partner = await aPartner()
      const { id } = await new SetEndpoint().handle({
        partnerCode: partner.code,
        url: 'https://partner.example/hook',
        actor: TESTER,
      })
      for (const [status, ended] of [
        ['delivered', `${days + 1} days`],
        ['failed', `${days + 1} days`],
        ['delivered', `${days - 1} days`],
        ['held', null],
      ])
        await ownerRows(
          `WITH made AS (
           INSERT INTO webhook_deliveries (endpoint_id, subject, status, attempts, created_at, ended_at)
           VALUES (?, 'x', ?, 1, clock_timestamp() - ?::interval, clock_timestamp() - ?::interval) RETURNING id)
         INSERT INTO webhook_attempts (delivery_id, attempt, started_at, duration_ms)
         SELECT id, 1, clock_timestamp(), 5 FROM made`,
          id,
          status,
          `${days + 4} days`,
          ended
        )
      await pruneDeliveries()
      const left = await rows(
        `SELECT d.status, count(a.*)::int AS attempts FROM webhook_deliveries d JOIN webhook_attempts a ON a.delivery_id = d.id
        WHERE endpoint_id = ? GROUP BY d.id ORDER BY d.id`,
        id
      )
      assert.deepEqual(left, [
        { status: 'delivered', attempts: 1 },
        { status: 'held', attempts: 1 },
      ])
      const { n } = await one(
        'SELECT count(*)::int AS n FROM webhook_attempts a LEFT JOIN webhook_deliveries d ON d.id = delivery_id WHERE d.id IS NULL'
      )
      assert.equal(n, 0)
    })
})

test.group('Past sessions', () => {
  test('sessions ended or unused for 90 days are deleted, others are kept', async ({ assert }) => {
    const [{ id: staffId }] = await ownerRows(
      `INSERT INTO staff (email, full_name, role, password) VALUES (gen_random_uuid() || '@staff.test', 'N', 'support', 'x')
       RETURNING id`
    )
    for (const [browser, seen, ended] of [
      ['ended long ago', '100 days', '91 days'],
      ['silent long ago', '91 days', null],
      ['ended lately', '100 days', '89 days'],
      ['seen lately', '1 day', null],
    ])
      await ownerRows(
        `INSERT INTO staff_sessions (staff_id, address, browser, last_seen_at, ended_at)
         VALUES (?, '::1', ?, now() - ?::interval, now() - ?::interval)`,
        staffId,
        browser,
        seen,
        ended
      )
    await pruneSessions()
    const left = await rows(
      'SELECT browser FROM staff_sessions WHERE staff_id = ? ORDER BY browser',
      staffId
    )
    assert.deepEqual(
      left.map(({ browser }) => browser as string),
      ['ended lately', 'seen lately']
    )
  })
})

test.group('Openings of tickets', () => {
  test('openings older than a year are deleted, later ones are kept', async ({ assert }) => {
    const { client, event } = await aSale()
    const { tickets } = await sell(client, event.id, ['seat-1-1'])
    const [{ ticket_id: ticketId }] = tickets
    const opened = (ago: string) =>
      ownerRows(
        `INSERT INTO ticket_openings (ticket_id, minute, opened_at)
         SELECT ?, date_trunc('minute', at), at FROM (SELECT now() - ?::interval AS at) opening`,
        ticketId,
        ago
      )
    for (const ago of ['1 year 2 days', '1 year 1 day', '11 months']) await opened(ago)
    await pruneOpenings()
    const left = await rows(
      `SELECT opened_at > now() - interval '1 year' AS young FROM ticket_openings WHERE ticket_id = ?`,
      ticketId
    )
    assert.deepEqual(left, [{ young: true }])
  })
})
