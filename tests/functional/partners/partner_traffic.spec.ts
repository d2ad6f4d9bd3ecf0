import { readTraffic } from '#back_office/partners/partner_traffic'
import { findPartnerFacts } from '#back_office/partners/read_partner'
import { countAnswer, writeCounts } from '#partners/answer_counts'
import {
  listRecentRefusals,
  listRefusedAddresses,
  recordRefusal,
  recordRefusedAddress,
} from '#partners/recent_refusals'
import { connectLimits } from '#shared/rate_limit'
import { DatabaseProxy } from '#tests/functional/races/support/database_proxy'
import { WebProcess } from '#tests/functional/races/support/web_process'
import { aPartner, aSale, book, type TestPartner } from '#tests/support/fixtures'
import { byPort } from '#tests/support/other_database'
import { PartnerClient } from '#tests/support/partner_client'
import { one } from '#tests/support/rows'
import redis from '@adonisjs/redis/services/main'
import { test } from '@japa/runner'
import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'

/** Refusals are written together, a moment later. */
const WRITTEN_MS = 700

async function trafficOf({ code }: TestPartner) {
  const partner = await findPartnerFacts(code)
  return readTraffic(partner!)
}
const from = (address: string) => ({ headers: { 'X-Forwarded-For': address } })

test.group('Traffic of a partner', (group) => {
  // Until Redis answers, the limits are kept in the process.
  group.setup(connectLimits)

  test('shows the requests of the minute, at no cost to the partner', async ({ assert }) => {
    const partner = await aPartner({ requestsPerMinute: 5 })
    for (let i = 0; i < 3; i++) await partner.client.get('/events')
    const looks = [await trafficOf(partner), await trafficOf(partner), await trafficOf(partner)]
    assert.deepEqual(
      looks.map(({ requests }) => requests),
      [3, 3, 3]
    )
    assert.equal(looks[2].inFlight, 0)
    const statuses = []
    for (let i = 0; i < 3; i++) {
      const { status } = await partner.client.get('/events')
      statuses.push(status)
    }
    assert.deepEqual(statuses, [200, 200, 429])
    const { requests } = await trafficOf(partner)
    assert.equal(requests, 5)
  })

  test('keeps addresses outside the allow list, latest first', async ({ assert }) => {
    const partner = await aPartner({ allowedAddresses: ['203.0.113.0/24'] })
    for (const address of ['198.51.100.7', '2001:db8::9', '203.0.113.4', '198.51.100.7']) {
      await partner.client.get('/events', from(address))
      await wait(5)
    }
    const { addresses } = await trafficOf(partner)
    assert.deepEqual(
      addresses!.map(({ address }) => address),
      ['198.51.100.7', '2001:db8::9']
    )
  })

  test('keeps an address for a week, however many are refused later', async ({ assert }) => {
    const partner = await aPartner({ allowedAddresses: ['203.0.113.0/24'] })
    await partner.client.get('/events', from('198.51.100.7'))
    const limits = redis.connection('limits')
    const daysAgo = (days: number) => Date.now() - days * 86_400_000
    await limits.zadd(`refused_addresses:${partner.id}`, daysAgo(6), '198.51.100.6')
    await limits.zadd(`refused_addresses:${partner.id}`, daysAgo(8), '198.51.100.8')
    const { addresses } = await trafficOf(partner)
    assert.deepEqual(
      addresses!.map(({ address }) => address),
      ['198.51.100.7', '198.51.100.6']
    )
  })

  test('keeps no address of a client without a secret', async ({ assert }) => {
    const partner = await aPartner({ allowedAddresses: ['203.0.113.0/24'] })
    const { apiKey } = partner.client.credentials
    await new PartnerClient({ apiKey, secret: 'guessed' }).get('/events', from('198.51.100.8'))
    await wait(WRITTEN_MS)
    const { addresses, refusals } = await trafficOf(partner)
    assert.deepEqual(addresses, [])
    assert.deepEqual(
      refusals!.map(({ code }) => code),
      ['INVALID_SIGNATURE']
    )
  })

  test('keeps the latest twenty refusals with their request ids', async ({ assert }) => {
    const { partner, client, event } = await aSale()
    await book(client, event.id, ['seat-1-1'])
    for (let i = 0; i < 25; i++) await client.get(`/events/evt_${i}`)
    await wait(WRITTEN_MS)
    const refused = await book(client, event.id, ['seat-1-1'])
    await wait(WRITTEN_MS)
    const { refusals } = await trafficOf(partner)
    assert.lengthOf(refusals!, 20)
    assert.containsSubset(refusals![0], {
      operation: 'POST /bookings',
      status: 409,
      code: 'SEATS_NOT_AVAILABLE',
      requestId: refused.headers.get('x-request-id'),
    })
    assert.containsSubset(refusals![1], { operation: 'GET /events/:event_id', status: 404 })
    assert.equal(await redis.connection('limits').llen(`refused:${partner.id}`), 20)
  })

  test('keeps a refusal of a process that stops a moment later', async ({ assert }) => {
    const partner = await aPartner()
    const web = await WebProcess.start()
    const there = new PartnerClient(partner.client.credentials, web.url)
    await there.get('/events/evt_nobody')
    assert.equal(await web.stop('SIGTERM'), 0)
    const refusals = await listRecentRefusals(partner.id)
    assert.deepEqual(
      refusals!.map(({ code }) => code),
      ['EVENT_NOT_FOUND']
    )
  })

  test('records a refusal without opening a connection that would delay shutdown', async ({
    assert,
    cleanup,
  }) => {
    cleanup(connectLimits)
    await redis.quit('limits')
    const partner = await aPartner()
    recordRefusal(partner.id, {
      at: new Date().toISOString(),
      operation: 'GET /events',
      status: 401,
      code: 'INVALID_SIGNATURE',
      requestId: randomUUID(),
    })
    recordRefusedAddress(partner.id, '198.51.100.9')
    await wait(WRITTEN_MS)
    assert.isUndefined(redis.activeConnections.limits)
  })

  test('keeps the latest twenty addresses outside the allow list', async ({ assert }) => {
    const { id } = await aPartner()
    for (let i = 0; i < 25; i++) recordRefusedAddress(id, `198.51.100.${i}`)
    await redis.connection('limits').ioConnection.ping()
    const addresses = await listRefusedAddresses(id)
    assert.lengthOf(addresses!, 20)
  })

  test('counts answers that could not be written at once with the next ones', async ({
    assert,
  }) => {
    const { id } = await aPartner()
    const proxy = await DatabaseProxy.start()
    countAnswer(id, null)
    await byPort(proxy.port, async () => {
      proxy.cut()
      await assert.rejects(() => writeCounts())
    })
    await proxy.stop()
    countAnswer(id, null)
    await writeCounts()
    const { count } = await one(
      `SELECT sum(count)::int AS count FROM partner_answers WHERE partner_id = ? AND code = ''`,
      id
    )
    assert.equal(count, 2)
  })
})
