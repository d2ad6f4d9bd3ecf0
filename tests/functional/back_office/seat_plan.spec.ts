import { BlockSeats, UnblockSeats } from '#inventory/actions/block_seats'
import { HoldForStorefront } from '#inventory/actions/storefront'
import { dataOf } from '#tests/support/answers'
import { lapseBooking } from '#tests/support/circumstances'
import { TESTER, aSale, anEvent, book, sell } from '#tests/support/fixtures'
import { WebProcess } from '#tests/functional/races/support/web_process'
import { one, ownerOne, ownerRows } from '#tests/support/rows'
import { StaffClient } from '#tests/support/staff_client'
import { test } from '@japa/runner'

interface StreamMessage {
  name: string
  text: string
}

/** Messages of a stream, one after the other. */
async function follow(staff: StaffClient, eventId: string) {
  const stream = await staff.stream(`/back-office/events/${eventId}/plan/changes`)
  const pieces = stream[Symbol.asyncIterator]() as AsyncIterator<string>
  let rest = ''
  async function next(): Promise<StreamMessage | null> {
    const [whole, name, text] = /event: (\w+)\ndata: (.*)\n\n/.exec(rest) ?? []
    if (whole) {
      rest = rest.slice(rest.indexOf(whole) + whole.length)
      return { name, text }
    }
    const { value, done } = await pieces.next()
    if (done) return null
    rest += value
    return next()
  }
  return { headers: stream.headers, next, stop: () => void stream.destroy() }
}

const placeOf = async (eventId: string, spaceId: string) => {
  const { place } = await one(
    `SELECT place FROM (SELECT space_id, (row_number() OVER (ORDER BY sector_id, position) - 1)::int AS place
                          FROM event_seats WHERE event_id = ?) seat WHERE space_id = ?`,
    eventId,
    spaceId
  )
  return place as number
}
const stateOf = async (eventId: string, spaceId: string) => {
  const { state } = await one(
    'SELECT state FROM event_seats WHERE event_id = ? AND space_id = ?',
    eventId,
    spaceId
  )
  return state as string
}

test.group('Live seat stream', () => {
  test('begins with every seat and then sends changes to every subscriber', async ({
    assert,
    cleanup,
  }) => {
    const { client, event } = await aSale()
    const staff = await StaffClient.signedIn('auditor')
    const streams = await Promise.all([follow(staff, event.id), follow(staff, event.id)])
    cleanup(() => streams.forEach(({ stop }) => stop()))
    for (const { headers, next } of streams) {
      assert.equal(headers['content-type'], 'text/event-stream; charset=utf-8')
      assert.deepEqual(await next(), { name: 'seats', text: 'f'.repeat(60) })
    }

    await new BlockSeats().handle({
      eventId: event.id,
      seats: ['seat-1-2', 'seat-1-3'],
      reason: null,
      actor: TESTER,
    })
    const [second, third] = [
      await placeOf(event.id, 'seat-1-2'),
      await placeOf(event.id, 'seat-1-3'),
    ]
    for (const { next } of streams) {
      assert.deepEqual(await next(), {
        name: 'change',
        text: JSON.stringify({ b: [second, third] }),
      })
    }

    await book(client, event.id, ['seat-2-1'])
    const held = await placeOf(event.id, 'seat-2-1')
    for (const { next } of streams) {
      assert.deepEqual(await next(), { name: 'change', text: JSON.stringify({ h: [held] }) })
    }
  })

  test('sends the end of a hold although no row has changed', async ({ assert, cleanup }) => {
    const event = await anEvent()
    const staff = await StaffClient.signedIn('operations')
    await new HoldForStorefront().handle({
      eventId: event.id,
      seats: ['seat-1-1'],
      holdSeconds: 2,
      actor: TESTER,
    })
    const { next, stop } = await follow(staff, event.id)
    cleanup(stop)
    const place = await placeOf(event.id, 'seat-1-1')
    const begin = await next()
    assert.equal(begin?.text[place], 'h')
    assert.deepEqual(await next(), { name: 'change', text: JSON.stringify({ f: [place] }) })
  })

  test('sends a keep-alive although nothing changes', async ({ assert, cleanup }) => {
    const event = await anEvent()
    const { next, stop } = await follow(await StaffClient.signedIn('support'), event.id)
    cleanup(stop)
    await next()
    assert.deepEqual(await next(), { name: 'beat', text: '' })
  })

  test('refuses a role without the permission', async ({ assert }) => {
    const event = await anEvent()
    const path = `/back-office/events/${event.id}/plan`
    const gate = await StaffClient.signedIn('gate')
    for (const tail of ['', '/seats', '/seats/seat-1-1', '/changes']) {
      const [refused, stranger] = [
        await gate.get(path + tail),
        await new StaffClient().get(path + tail),
      ]
      assert.deepEqual([refused.status, stranger.status], [403, 302])
    }
  })

  test('answers 404 for an unknown event', async ({ assert }) => {
    const staff = await StaffClient.signedIn('auditor')
    for (const tail of ['', '/seats', '/changes']) {
      const { status } = await staff.get(`/back-office/events/evt_none/plan${tail}`)
      assert.equal(status, 404)
    }
  })
})

test.group('Stopping a process with open streams', () => {
  test('ends the streams and exits within seconds', async ({ assert, cleanup }) => {
    const event = await anEvent()
    const web = await WebProcess.start({ NODE_ENV: 'test' })
    cleanup(() => void web.stop('SIGKILL'))
    const staff = await StaffClient.signedIn('auditor', web.url)
    const { next } = await follow(staff, event.id)
    const first = await next()
    assert.equal(first?.name, 'seats')
    const asked = performance.now()
    await web.stop()
    assert.isBelow(performance.now() - asked, 5_000)
    assert.isNull(await next())
  })
})

test.group('Seat details', () => {
  test('are listed in the order of their status', async ({ assert }) => {
    const event = await anEvent()
    const staff = await StaffClient.signedIn('finance')
    const plan = await staff.json(`/back-office/events/${event.id}/plan/seats`)
    assert.equal(plan.seats.length, 60)
    const place = await placeOf(event.id, 'seat-4-2')
    const [spaceId, label, row, category, price] = plan.seats[place]
    assert.deepEqual([spaceId, label, price], ['seat-4-2', '2', 9000])
    assert.equal(plan.categories[category].code, 'fan')
    assert.equal(plan.sectors[plan.rows[row].sector].code, 'sector-b')
  })

  test('show the holder, the tickets and the history of a seat', async ({ assert }) => {
    const { client, event, partner } = await aSale()
    const staff = await StaffClient.signedIn('support')
    const space = { eventId: event.id, seats: ['seat-1-1'], reason: 'Camera', actor: TESTER }
    await new BlockSeats().handle(space)
    await new UnblockSeats().handle(space)
    const sold = await sell(client, event.id, ['seat-1-1', 'seat-1-2'])
    const [ticket] = sold.tickets
    const path = `/back-office/events/${event.id}/plan/seats/seat-1-1`
    const { seat, tickets, timeline } = await staff.json(path)

    const { status, orderId, partnerName } = seat
    assert.deepEqual(
      { status, orderId, partnerName },
      {
        status: 'sold',
        orderId: sold.order_id,
        partnerName: partner.code,
      }
    )
    assert.deepEqual(
      tickets.map(({ number, status: its }: any) => [number, its]),
      [[ticket.number, 'active']]
    )
    assert.deepEqual(
      timeline.map(({ name }: any) => name),
      ['order_confirmed', 'order_placed', 'booking_created', 'seats_unblocked', 'seats_blocked']
    )

    await client.post(`/orders/${sold.order_id}/refund`, {
      ticket_ids: [ticket.ticket_id],
      reason: 'Ill',
    })
    const after = await staff.json(path)
    assert.deepEqual(
      after.tickets.map(({ voidCause, status: its }: any) => [voidCause, its]),
      [['refund', 'void']]
    )
    assert.equal(after.timeline[0].name, 'tickets_refunded')
    const neighbour = await staff.json(`/back-office/events/${event.id}/plan/seats/seat-1-2`)
    assert.equal(neighbour.timeline[0].name, 'order_confirmed')
  })

  test('show no holder once the hold has expired', async ({ assert }) => {
    const { client, event, partner } = await aSale()
    const { booking_id: booking } = dataOf(await book(client, event.id, ['seat-1-1']))
    const staff = await StaffClient.signedIn('support')
    const path = `/back-office/events/${event.id}/plan/seats/seat-1-1`
    const held = await staff.json(path)
    assert.include(held.seat, { status: 'held', holder: booking, partnerName: partner.code })

    await lapseBooking(booking)

    const { seat } = await staff.json(path)
    assert.include(seat, { status: 'free', holder: null, holdUntil: null, partnerName: null })
  })

  test('answer 404 for a seat that the event does not have', async ({ assert }) => {
    const event = await anEvent()
    const staff = await StaffClient.signedIn('support')
    const answer = await staff.get(`/back-office/events/${event.id}/plan/seats/seat-99-1`)
    assert.equal(answer.status, 404)
  })
})

test.group('Actions on seats', () => {
  test('a block takes the free seats and leaves the others', async ({ assert }) => {
    const { client, event } = await aSale()
    const staff = await StaffClient.signedIn('operations')
    dataOf(await book(client, event.id, ['seat-1-1']))
    await sell(client, event.id, ['seat-1-2'])
    const seats = ['seat-1-1', 'seat-1-2', 'seat-1-3']
    const path = `/back-office/events/${event.id}/plan/blocks`
    await staff.send('POST', path, { seats, reason: 'A camera stands there' })

    assert.equal(await stateOf(event.id, 'seat-1-3'), 'blocked')
    assert.equal(await stateOf(event.id, 'seat-1-2'), 'sold')
    const { state, held_by: holder } = await one(
      `SELECT state, held_by FROM event_seats WHERE event_id = ? AND space_id = 'seat-1-1'`,
      event.id
    )
    assert.equal(state, 'free')
    assert.match(holder as string, /^bkg_/)
    const { change } = await one(
      `SELECT change FROM journal WHERE event_id = ? AND name = 'seats_blocked'`,
      event.id
    )
    assert.deepEqual(change, { seats: ['seat-1-3'], reason: 'A camera stands there' })

    await staff.send('DELETE', path, { seats, reason: 'It was taken away' })
    assert.equal(await stateOf(event.id, 'seat-1-3'), 'free')
    assert.equal(await stateOf(event.id, 'seat-1-2'), 'sold')
  })

  test('a block without any free seat changes nothing', async ({ assert }) => {
    const { client, event } = await aSale()
    const staff = await StaffClient.signedIn('operations')
    await sell(client, event.id, ['seat-1-2'])
    await staff.send('POST', `/back-office/events/${event.id}/plan/blocks`, {
      seats: ['seat-1-2'],
      reason: 'A camera stands there',
    })
    assert.equal(await stateOf(event.id, 'seat-1-2'), 'sold')
    const { n } = await one(
      `SELECT count(*)::int AS n FROM journal WHERE event_id = ? AND name = 'seats_blocked'`,
      event.id
    )
    assert.equal(n, 0)
  })

  test('the box office holds, sells and releases', async ({ assert }) => {
    const event = await anEvent()
    const staff = await StaffClient.signedIn('operations')
    const path = `/back-office/events/${event.id}/plan/carts`
    const cartOf = async (space: string) => {
      const { held_by: cart } = await one(
        'SELECT held_by FROM event_seats WHERE event_id = ? AND space_id = ?',
        event.id,
        space
      )
      return cart as string | null
    }
    await staff.send('POST', path, { seats: ['seat-1-1', 'seat-1-2'], minutes: 5 })
    await staff.send('POST', path, { seats: ['seat-1-3'], minutes: 5 })
    const { seconds } = await one(
      `SELECT extract(epoch FROM hold_until - clock_timestamp())::float8 AS seconds FROM event_seats
        WHERE event_id = ? AND space_id = 'seat-1-3'`,
      event.id
    )
    assert.isAbove(seconds as number, 200)
    assert.isAtMost(seconds as number, 300)
    await staff.send('POST', `${path}/${await cartOf('seat-1-1')}/sales`, {})
    await staff.send('DELETE', `${path}/${await cartOf('seat-1-3')}`, {})
    assert.equal(await stateOf(event.id, 'seat-1-1'), 'sold')
    assert.equal(await stateOf(event.id, 'seat-1-2'), 'sold')
    assert.isNull(await cartOf('seat-1-3'))
  })

  test('a cart whose hold has run out is not sold, even if only for one of its seats', async ({
    assert,
  }) => {
    const event = await anEvent()
    const staff = await StaffClient.signedIn('operations')
    const path = `/back-office/events/${event.id}/plan/carts`
    await staff.send('POST', path, { seats: ['seat-1-1', 'seat-1-2'], minutes: 5 })
    const { held_by: cart } = await ownerOne(
      `UPDATE event_seats SET hold_until = clock_timestamp() WHERE event_id = ? AND space_id = 'seat-1-2' RETURNING held_by`,
      event.id
    )

    await staff.send('POST', `${path}/${cart}/sales`, {})

    assert.equal(await stateOf(event.id, 'seat-1-1'), 'free')
    assert.equal(await stateOf(event.id, 'seat-1-2'), 'free')
  })

  test('a cart whose hold has run out is no longer listed', async ({ assert }) => {
    const event = await anEvent()
    const staff = await StaffClient.signedIn('operations')
    const path = `/back-office/events/${event.id}/plan/carts`
    for (const seat of ['seat-1-1', 'seat-1-2'])
      await staff.send('POST', path, { seats: [seat], minutes: 5 })
    await ownerRows(
      `UPDATE event_seats SET hold_until = clock_timestamp() WHERE event_id = ? AND space_id = 'seat-1-1'`,
      event.id
    )

    const { carts } = await staff.json(path)

    assert.deepEqual(
      carts.map(({ seats }: any) => seats),
      [[{ row: '1', seat: '2' }]]
    )
  })

  test('a reader can do none of it', async ({ assert }) => {
    const event = await anEvent()
    const staff = await StaffClient.signedIn('support')
    const path = `/back-office/events/${event.id}/plan`
    const input = { seats: ['seat-1-1'], reason: 'Because', minutes: 5 }
    const asked = [
      ['POST', '/blocks'],
      ['DELETE', '/blocks'],
      ['POST', '/carts'],
      ['POST', '/carts/crt_x/sales'],
      ['DELETE', '/carts/crt_x'],
    ] as const
    for (const [method, tail] of asked) {
      const { status } = await staff.send(method, path + tail, input)
      assert.equal(status, 403)
    }
    assert.equal(await stateOf(event.id, 'seat-1-1'), 'free')
  })
})
