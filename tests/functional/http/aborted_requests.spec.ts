import { untilSomebodyWaits, untilWaitingForPlace } from '#tests/functional/races/support/gate_hold'
import { count, watcher } from '#tests/functional/races/support/sql'
import { aPartner, aSale, anEvent, book, grant } from '#tests/support/fixtures'
import { bookingBody } from '#tests/support/operations'
import type { PartnerClient } from '#tests/support/partner_client'
import { connectToServer, sendAndReset, signedBytes } from '#tests/support/raw_socket'
import { countBookings } from '#tests/support/rows'
import platform from '#config/platform'
import { withReserve } from '#shared/connection_places'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { setTimeout as delay } from 'node:timers/promises'

/** Connections of the pool that are not kept for confirms and cancels. */
const UNRESERVED = 16
const WAITING_READS = `SELECT count(*) FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%JOIN halls%'`

/** A leaked slot frees itself after 30 s; a reset is seen long before, also by a busy machine. */
const RESETS_SEEN_WITHIN_MS = 10_000

/**
 * What so many simultaneous requests are answered as soon as the server has seen all resets: a reset is not answered, so there is
 * nothing else to wait for.
 */
async function statusesAfterResets(client: PartnerClient, many: number) {
  const deadline = Date.now() + RESETS_SEEN_WITHIN_MS
  for (;;) {
    const answers = await Promise.all(Array.from({ length: many }, () => client.get('/events')))
    const statuses = answers.map(({ status }) => status)
    if (!statuses.includes(429) || Date.now() > deadline) return statuses
    await delay(50)
  }
}

const ROOMY = { settings: { requestsInFlight: 500 } }

/** Makes bookings of the event wait until `release`, by a connection that is none of the pool's. */
async function holdSeats(event: { id: string }) {
  const client = await watcher.connect()
  await client.query('BEGIN')
  await client.query('SELECT 1 FROM event_seats WHERE event_id = $1 FOR UPDATE', [event.id])
  let isHeld = true
  const release = async () => {
    if (!isHeld) return
    isHeld = false
    await client.query('ROLLBACK')
    client.release()
  }
  return { release }
}

/** On all connections of the pool. A busy machine may take longer than the two seconds after which a request gives a lock up. */
async function setLockTimeout(value: string) {
  const connections = withReserve(() =>
    Promise.all(Array.from({ length: platform.databaseConnections }, () => db.transaction()))
  )
  for (const trx of await connections) {
    await trx.rawQuery(`SET lock_timeout = ${value}`)
    await trx.commit()
  }
}

test.group('Clients that disconnect', () => {
  for (const afterMs of [0, 1, 3, 10]) {
    test(`${afterMs} ms after the request leave no slot in use`, async ({ assert }) => {
      const { client } = await aPartner({ requestsInFlight: 5 })
      const bytes = signedBytes(client, 'GET', '/events')
      await Promise.all(Array.from({ length: 24 }, () => sendAndReset(bytes, afterMs)))

      assert.deepEqual(await statusesAfterResets(client, 5), [200, 200, 200, 200, 200])
    })
  }

  test('during several pipelined requests leave no slot in use', async ({ assert }) => {
    const { client } = await aPartner({ requestsInFlight: 4 })
    const bytes = signedBytes(client, 'GET', '/events')
    await sendAndReset(bytes + bytes + bytes + bytes, 1)

    assert.deepEqual(await statusesAfterResets(client, 4), [200, 200, 200, 200])
  })

  test('do not undo the change that they requested', async ({ assert }) => {
    const { client, event, partner } = await aSale({ settings: { requestsInFlight: 1 } })
    const body = JSON.stringify(bookingBody(event.id))
    const trx = await db.transaction()
    await trx.rawQuery('SELECT 1 FROM event_seats WHERE event_id = ? FOR UPDATE', [event.id])
    await sendAndReset(signedBytes(client, 'POST', '/bookings', body), 200)
    await trx.rollback()

    const deadline = performance.now() + 5_000
    while ((await countBookings(partner)) === 0 && performance.now() < deadline) await delay(20)
    assert.equal(await countBookings(partner), 1)
    const { status } = await client.get('/events')
    assert.equal(status, 200)
  })

  test('leave no read to do that had to wait for a connection', async ({ assert, cleanup }) => {
    const [crowd, abandoned, awaited] = [await aSale(ROOMY), await aSale(), await aSale()]
    const other = await anEvent()
    await grant(crowd.partner, other)
    await setLockTimeout('10000')
    cleanup(() => setLockTimeout('DEFAULT'))
    const pages = await db.connection('owner').transaction()
    await pages.rawQuery('LOCK TABLE halls IN ACCESS EXCLUSIVE MODE')
    const [first, others] = [await holdSeats(other), await holdSeats(crowd.event)]
    // A failure must not leave the locks to the tests that follow.
    cleanup(async () => {
      if (!pages.isCompleted) await pages.rollback()
      await Promise.all([first.release(), others.release()])
    })
    const free = UNRESERVED - 1
    const bookings = [book(crowd.client, other.id, ['seat-1-1'])]
    const bookOne = () => {
      const seat = `seat-${2 + (bookings.length % 4)}-${1 + Math.floor(bookings.length / 4)}`
      bookings.push(book(crowd.client, crowd.event.id, [seat]))
    }
    while (bookings.length < free) bookOne()
    await untilSomebodyWaits(free)

    // The one connection that becomes free reads the keys of both, and is then taken by the booking, which came first.
    bookOne()
    await untilWaitingForPlace(1)
    const socket = await connectToServer()
    socket.on('error', () => {})
    socket.write(signedBytes(abandoned.client, 'GET', `/events/${abandoned.event.id}`))
    await untilWaitingForPlace(2)
    await first.release()
    await untilSomebodyWaits(free)
    await untilWaitingForPlace(1)
    assert.equal(await count(WAITING_READS), 0)
    socket.resetAndDestroy()
    const answer = awaited.client.get(`/events/${awaited.event.id}`)
    await untilWaitingForPlace(2)
    await others.release()
    await Promise.all(bookings)

    // Those who wait for a connection get it in the order in which they came.
    await untilSomebodyWaits(1)
    const waiting = await count(WAITING_READS)
    await pages.rollback()
    const { status } = await answer
    assert.deepEqual([waiting, status], [1, 200])
  })
})
