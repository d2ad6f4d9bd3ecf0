import { aPartner, aSale, type TestPartner } from '#tests/support/fixtures'
import { bookingBody } from '#tests/support/operations'
import { maintain, urlByPort } from '#tests/support/other_database'
import { PartnerClient } from '#tests/support/partner_client'
import { test } from '@japa/runner'
import { sleep } from './support/crowd.js'
import { DatabaseProxy } from './support/database_proxy.js'
import { WebProcess } from './support/web_process.js'

const FROZEN_MS = 22_000
const EVERY_MS = 400
const POOL = '4'
/** How long a connection may be in the making (`connectionTimeoutMillis` in config/database.ts). */
const CONNECTING_MS = 5_000

test.group('A PostgreSQL that answers nothing', (group) => {
  let proxy: DatabaseProxy
  let web: WebProcess
  let partner: TestPartner
  group.setup(async () => {
    proxy = await DatabaseProxy.start()
    web = await WebProcess.start({ DATABASE_URL: urlByPort(proxy.port), DB_POOL_MAX: POOL })
    partner = await aPartner()
    return async () => {
      await web.stop('SIGKILL')
      await proxy.stop()
    }
  })

  test('each request is answered 503 within 10 seconds, and 200 once PostgreSQL answers again', async ({
    assert,
  }) => {
    const client = new PartnerClient(partner.client.credentials, web.url)
    const ask = async () => {
      const began = performance.now()
      const { status, error } = await client.get('/events')
      return { status, code: error?.code, ms: performance.now() - began }
    }
    const before = await ask()
    assert.equal(before.status, 200)
    proxy.freeze()
    const asked: ReturnType<typeof ask>[] = []
    for (let ms = 0; ms < FROZEN_MS; ms += EVERY_MS) {
      asked.push(ask())
      await sleep(EVERY_MS)
    }
    const kindsOf = (answers: Awaited<ReturnType<typeof ask>>[]) => [
      ...new Set(answers.map(({ status, code }) => `${status} ${code ?? ''}`.trim())),
    ]
    const answers = await Promise.all(asked)
    assert.deepEqual(kindsOf(answers), ['503 SERVICE_BUSY'])
    assert.isBelow(Math.max(...answers.map(({ ms }) => ms)), 10_000)
    proxy.thaw()
    const askTen = () => Promise.all(Array.from({ length: 10 }, ask))
    const atOnce = kindsOf(await askTen())
    assert.include(atOnce, '200')
    // A connection begun while PostgreSQL was frozen may fail just now, and with it the request that waits for one.
    assert.isEmpty(atOnce.filter((kind) => !['200', '503 SERVICE_BUSY'].includes(kind)))
    await sleep(CONNECTING_MS)
    assert.deepEqual(kindsOf(await askTen()), ['200'])
  }).timeout(60_000)
})

/** A standby that never comes. */
const setStandby = async (names: string) => {
  await maintain(`ALTER SYSTEM SET synchronous_standby_names = '${names}'`)
  await maintain('SELECT pg_reload_conf()')
}

test.group('A primary without its synchronous standby', (group) => {
  let web: WebProcess
  group.setup(async () => {
    web = await WebProcess.start({ DB_POOL_MAX: POOL })
    return async () => {
      await web.stop('SIGKILL')
    }
  })
  group.each.teardown(() => setStandby(''))

  test('a commit that no standby has is not answered as a success; its repeat is, once there is one', async ({
    assert,
  }) => {
    const sale = await aSale()
    const client = new PartnerClient(sale.client.credentials, web.url)
    const body = bookingBody(sale.event.id)
    await setStandby('nobody')
    const refused = await client.post('/bookings', body)
    assert.equal(refused.status, 503)
    assert.equal(refused.headers.get('retry-after'), '1')
    await setStandby('')
    const repeated = await client.post('/bookings', body)
    assert.equal(repeated.status, 200)
  }).timeout(60_000)
})
