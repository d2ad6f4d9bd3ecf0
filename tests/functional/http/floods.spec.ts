import { untilSomebodyWaits, untilWaitingForPlace } from '#tests/functional/races/support/gate_hold'
import { aGate, postScan } from '#tests/functional/races/support/gates'
import { WebProcess } from '#tests/functional/races/support/web_process'
import { dataOf, statusOf } from '#tests/support/answers'
import { assertCode } from '#tests/support/expectations'
import { aPartner, aSale, anEvent, book, grant, order, paymentOf } from '#tests/support/fixtures'
import { anOrder, cancel, confirm } from '#tests/support/operations'
import { PartnerClient, testBaseUrl, type Answer } from '#tests/support/partner_client'
import { connectToServer } from '#tests/support/raw_socket'
import { countAttempts } from '#tests/support/rows'
import { StaffClient } from '#tests/support/staff_client'
import { connectLimits } from '#shared/rate_limit'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

const FAILURES_PER_MINUTE = 30
/** Connections of the pool that are not kept for confirms and cancels; a test that holds a lock has one of them. */
const UNRESERVED = 16
const from = (address: string) => ({ headers: { 'X-Forwarded-For': address } })
const unknownKey = () => `pk_sandbox_${randomBytes(16).toString('hex')}`

async function spendFailures(client: PartnerClient, address: string) {
  for (let i = 0; i < FAILURES_PER_MINUTE; i++)
    await client.get('/events', { signature: 'wrong', ...from(address) })
}

/** Runs `act` while nobody else may even read the table: a query on it would wait. */
async function whileLocked(table: string, act: () => Promise<void>) {
  const trx = await db.connection('owner').transaction()
  await trx.rawQuery(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`)
  try {
    await act()
  } finally {
    await trx.rollback()
  }
}

/** Holds the seats of an event, so that bookings of it wait, while `act` runs. */
async function whileSeatsWait(event: { id: string }, act: () => Promise<void>) {
  const trx = await db.transaction()
  await trx.rawQuery('SELECT 1 FROM event_seats WHERE event_id = ? FOR UPDATE', [event.id])
  try {
    await act()
  } finally {
    await trx.rollback()
  }
}

test.group('Addresses beyond their failure budget', (group) => {
  group.setup(() => connectLimits())

  test('cost no query, whatever key they send', async ({ assert }) => {
    const { client } = await aPartner()
    await spendFailures(client, client.address)

    await whileLocked('partner_keys', async () => {
      const started = performance.now()
      for (let i = 0; i < 20; i++) {
        const stranger = new PartnerClient({ apiKey: unknownKey(), secret: 'x' })
        assertCode(await stranger.get('/events', from(client.address)), 'RATE_LIMIT_EXCEEDED')
        assertCode(await client.get('/events', { signature: 'wrong' }), 'RATE_LIMIT_EXCEEDED')
      }
      assert.isBelow(performance.now() - started, 1_500)
    })
  })

  test('still get signed requests through', async ({ assert }) => {
    const { client } = await aPartner()
    await spendFailures(client, client.address)
    assert.equal(statusOf(await client.get('/events')), 200)
  })

  test('are counted by /64 for IPv6', async () => {
    const { client } = await aPartner()
    const network = `2001:db8:${randomBytes(2).toString('hex')}:1`
    for (let i = 0; i < FAILURES_PER_MINUTE; i++)
      await client.get('/events', { signature: 'wrong', ...from(`${network}::${i + 1}`) })

    const ask = (address: string) => client.get('/events', { signature: 'wrong', ...from(address) })
    assertCode(await ask(`${network}:ffff::9`), 'RATE_LIMIT_EXCEEDED')
    assertCode(await ask(`${network}2::9`), 'INVALID_SIGNATURE')
  })

  test('get no more hints about signatures', async ({ assert }) => {
    const { client } = await aPartner()
    await spendFailures(client, client.address)
    const answer = await client.get('/events', { signature: 'wrong' })
    assert.deepEqual(answer.error.details, {})
  })
})

test.group('Budgets of anonymous clients', () => {
  test('unknown gate keys use up the failure budget and then cost no query', async ({ assert }) => {
    const address = `10.9.${randomBytes(1)[0]}.${randomBytes(1)[0]}`
    const scan = () =>
      fetch(`${testBaseUrl()}/api/v1/gate/scans`, {
        method: 'POST',
        headers: {
          'X-Gate-Key': `gk_${randomBytes(32).toString('base64url')}`,
          'X-Forwarded-For': address,
        },
        body: '{}',
      })
    for (let i = 0; i < FAILURES_PER_MINUTE; i++) assert.equal(statusOf(await scan()), 401)
    await whileLocked('gate_devices', async () => {
      assert.equal(statusOf(await scan()), 429)
    })
  })

  test('a known gate device scans behind an address with too many failures', async ({ assert }) => {
    const headers = { 'X-Forwarded-For': `10.9.${randomBytes(1)[0]}.${randomBytes(1)[0]}` }
    const gate = await aGate()
    const stranger = { ...headers, 'X-Gate-Key': `gk_${randomBytes(32).toString('base64url')}` }
    await connectLimits()
    await gate.send({})
    for (let i = 0; i < FAILURES_PER_MINUTE; i++) await postScan({}, stranger)
    assert.equal(statusOf(await postScan({}, stranger)), 429)
    assert.equal(statusOf(await gate.send({}, headers)), 422)
  })

  for (const what of ['the keys of an event', 'the description']) {
    test(`${what} may be read 300 times a minute`, async ({ assert }) => {
      const event = await anEvent()
      const path = what === 'the description' ? '/openapi.json' : `/events/${event.id}/jwks.json`
      const anybody = new PartnerClient({ apiKey: '', secret: '' })
      const answers: Answer[] = []
      while (answers.length < 301) answers.push(await anybody.get(path))
      assert.isTrue(answers.slice(0, 300).every(({ status }) => status === 200))
      assertCode(answers[300], 'RATE_LIMIT_EXCEEDED')
    })
  }

  test('forged confirms of a partner are recorded 60 times a minute, from however many addresses', async ({
    assert,
  }) => {
    const { client, partner, order: pending } = await anOrder()
    for (let i = 0; i < 80; i++) {
      await client.post(`/orders/${pending.order_id}/confirm`, paymentOf(24_000), {
        signature: '0'.repeat(64),
        ...from(`10.8.${i}.1`),
      })
    }
    assert.equal(await countAttempts(partner), 60)

    const another = await anOrder()
    const forged = { signature: '0'.repeat(64) }
    const path = `/orders/${another.order.order_id}/confirm`
    await another.client.post(path, paymentOf(24_000), forged)
    assert.equal(await countAttempts(another.partner), 1)
  })

  test('60 forged reads take nothing from the budget of recorded forged confirms', async ({
    assert,
  }) => {
    const { client, partner, order: pending } = await anOrder()
    const forged = { signature: '0'.repeat(64) }
    for (let i = 0; i < 60; i++) await client.get('/events', { ...forged, ...from(`10.7.${i}.1`) })
    const path = `/orders/${pending.order_id}/confirm`
    assertCode(await client.post(path, paymentOf(24_000), forged), 'INVALID_SIGNATURE')
    assert.equal(await countAttempts(partner), 1)
  })
})

test.group('All slots and connections in use', () => {
  test('confirms and cancels have a quarter more slots', async ({ assert }) => {
    const settings = { requestsInFlight: 4 }
    const { client, partner, event, order: pending } = await anOrder({ settings })
    const busy = await anEvent()
    await grant(partner, busy)
    let waiting: Promise<Answer[]> = Promise.resolve([])
    await whileSeatsWait(busy, async () => {
      waiting = Promise.all(
        ['seat-1-1', 'seat-1-2', 'seat-1-3', 'seat-1-4'].map((seat) =>
          book(client, busy.id, [seat])
        )
      )
      await delay(250)
      assertCode(await client.get(`/events/${event.id}`), 'RATE_LIMIT_EXCEEDED')
      assert.equal(statusOf(await confirm(client, pending.order_id)), 200)
    })
    for (const { status } of await waiting) assert.equal(status, 201)
  })

  test('a confirm does not wait for bookings that hold every other connection', async ({
    assert,
  }) => {
    const { client, event, order: pending } = await anOrder({ settings: { requestsInFlight: 500 } })
    const booking = dataOf(await book(client, event.id, ['seat-5-1']))
    const other = await order(client, booking.booking_id)
    const crowd = await aSale({ settings: { requestsInFlight: 500 } })
    let waiting: Promise<Answer[]> = Promise.resolve([])
    await whileSeatsWait(crowd.event, async () => {
      waiting = Promise.all(
        Array.from({ length: 60 }, (_, i) =>
          book(crowd.client, crowd.event.id, [
            `seat-${1 + (Math.floor(i / 10) % 5)}-${1 + (i % 10)}`,
          ])
        )
      )
      await delay(300)
      const started = performance.now()
      assert.equal(statusOf(await confirm(client, pending.order_id)), 200)
      assert.equal(statusOf(await cancel(client, other.data.order_id)), 200)
      assert.isBelow(performance.now() - started, 1_000)
    })
    await waiting
  })

  test('a confirm does not wait with reads of its partner that wait for a connection', async ({
    assert,
  }) => {
    const { client, order: pending } = await anOrder()
    const crowd = await aSale({ settings: { requestsInFlight: 500 } })
    let waiting: Promise<unknown> = Promise.resolve()
    await whileSeatsWait(crowd.event, async () => {
      const bookings = Array.from({ length: 20 }, (_, i) =>
        book(crowd.client, crowd.event.id, [`seat-${1 + Math.floor(i / 10)}-${1 + (i % 10)}`])
      )
      await untilSomebodyWaits(UNRESERVED - 1)
      const reads = [client.get('/events'), client.get('/events')]
      waiting = Promise.all([...bookings, ...reads])
      await delay(200)
      const started = performance.now()
      assert.equal(statusOf(await confirm(client, pending.order_id)), 200)
      assert.isBelow(performance.now() - started, 1_000)
    })
    await waiting
  })

  test('a confirm does not wait for pages and scans that hold every other connection', async ({
    assert,
  }) => {
    const { client, event, order: pending } = await anOrder()
    const booking = dataOf(await book(client, event.id, ['seat-5-1']))
    const other = await order(client, booking.booking_id)
    const [staff, gate] = [await StaffClient.signedIn('admin'), await aGate()]
    let waiting: Promise<unknown> = Promise.resolve()
    await whileLocked('halls', () =>
      whileLocked('gate_devices', async () => {
        const pages = Array.from({ length: 20 }, () => staff.get('/back-office/halls'))
        const scans = Array.from({ length: 20 }, () => gate.send({}))
        waiting = Promise.all([...pages, ...scans])
        await untilSomebodyWaits(UNRESERVED - 2)
        const started = performance.now()
        assert.equal(statusOf(await confirm(client, pending.order_id)), 200)
        assert.equal(statusOf(await cancel(client, other.data.order_id)), 200)
        assert.equal(statusOf(await fetch(`${testBaseUrl()}/health/ready`)), 200)
        assert.isBelow(performance.now() - started, 1_000)
      })
    )
    await waiting
  })

  test('forged confirms do not take the connections that are kept for confirms', async ({
    assert,
  }) => {
    const forgers = await Promise.all(Array.from({ length: 25 }, () => aPartner()))
    // A key that was seen before: the signature is checked before the key is read again.
    await Promise.all(forgers.map(({ client }) => client.get('/events')))
    let waiting: Promise<Answer[]> = Promise.resolve([])
    await whileLocked('partner_keys', async () => {
      waiting = Promise.all(
        forgers.map(({ client }) =>
          client.post('/orders/TIX-2026-000000001/confirm', paymentOf(12_000), {
            signature: '0'.repeat(64),
          })
        )
      )
      await untilSomebodyWaits(UNRESERVED - 1)
      await untilWaitingForPlace(forgers.length - (UNRESERVED - 1))
      assert.equal(statusOf(await fetch(`${testBaseUrl()}/health/ready`)), 200)
    })
    for (const answer of await waiting) assertCode(answer, 'INVALID_SIGNATURE')
  })

  test('work that waits for a connection is counted', async ({ assert }) => {
    const staff = await StaffClient.signedIn('admin')
    let pages: Promise<unknown> = Promise.resolve()
    let metrics: Promise<Response> | undefined
    await whileLocked('halls', async () => {
      pages = Promise.all(Array.from({ length: 20 }, () => staff.get('/back-office/halls')))
      await untilSomebodyWaits(UNRESERVED - 1)
      const headers = { Authorization: `Bearer ${process.env.METRICS_TOKEN}` }
      metrics = fetch(`${testBaseUrl()}/metrics`, { headers })
      await delay(100)
    })
    await pages
    const answer = await metrics!
    const text = await answer.text()
    const [, waiting] = /database_connections\{state="waiting"\} (\d+)/.exec(text)!
    assert.isAtLeast(Number(waiting), 5)
  })
})

test.group('More connections than MAX_CONNECTIONS', () => {
  const MOST = 5

  /** Whether the server answers on the connection, instead of closing it. */
  function isServed(socket: Socket) {
    return new Promise<boolean>((resolve) => {
      socket.once('close', () => resolve(false))
      socket.once('data', () => resolve(true))
      socket.write('GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n')
    })
  }

  test('are closed at once, until others have ended', async ({ assert }) => {
    const web = await WebProcess.start({ MAX_CONNECTIONS: String(MOST) })
    const sockets: Socket[] = []
    const open = async () => {
      const socket = await connectToServer(web.url)
      socket.on('error', () => {})
      sockets.push(socket)
      return isServed(socket)
    }
    try {
      const served: boolean[] = []
      while (served.length < 3 * MOST) served.push(await open())
      // The connection by which its start was watched may still be open.
      const accepted = served.filter(Boolean).length
      assert.isTrue(accepted === MOST || accepted === MOST - 1, String(accepted))
      assert.deepEqual(served.slice(MOST), Array(2 * MOST).fill(false))

      sockets[0].destroy()
      while (!(await open())) await delay(20)
    } finally {
      for (const socket of sockets) socket.destroy()
      await web.stop()
    }
  })
})
