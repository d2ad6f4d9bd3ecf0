import platform from '#config/platform'
import { saveAttempts } from '#sales/confirm_order/attempt_files'
import { insertAttempt, type ReceivedConfirm } from '#sales/confirm_order/confirm_attempt'
import { recordLateAttempt, toLateAttempt } from '#sales/confirm_order/late_attempt'
import { LateAttempts } from '#sales/confirm_order/late_attempts'
import { aPartner, paymentOf, uniqueKey, type TestPartner } from '#tests/support/fixtures'
import { anOrder } from '#tests/support/operations'
import { byPort, urlByPort } from '#tests/support/other_database'
import { PartnerClient } from '#tests/support/partner_client'
import { scratchDirectory } from '#tests/support/scratch_directory'
import { runJob } from '#worker/jobs'
import { test } from '@japa/runner'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { outcomeOf, sleep } from './support/crowd.js'
import { DatabaseProxy } from './support/database_proxy.js'
import { rows } from './support/sql.js'
import { WebProcess } from './support/web_process.js'

/** A hundred times as fast as in production. */
const QUICK = { firstPauseMs: 10, longestPauseMs: 150 }
/** Several times as many as a fixed schedule of retries would make. */
const MANY_TRIES = 15
const BUSY = { status: 503, code: 'SERVICE_BUSY' }

const received = ({ id }: TestPartner, orderId: string, more: object = {}): ReceivedConfirm => ({
  partnerId: id,
  actor: {
    kind: 'partner',
    name: 'pk_sandbox_x',
    requestId: '0a1b2c3d-0000-4000-8000-000000000000',
  },
  orderId,
  timestampSent: '1795562391',
  arrivedAt: performance.now(),
  paymentInfo: { ...paymentOf(24_000, { method: 'card' }).payment_info, ...more },
})

const attemptsAt = (orderId: string) =>
  rows(
    `SELECT *, extract(epoch FROM received_at)::float8 * 1000 AS received_ms FROM confirm_attempts
      WHERE order_id_sent = $1 ORDER BY id`,
    [orderId]
  )

async function untilRecorded(orderId: string) {
  const deadline = Date.now() + 5_000
  while (Date.now() < deadline) {
    const [attempt] = await attemptsAt(orderId)
    if (attempt?.http_status) return attempt
    await sleep(10)
  }
  throw new Error(`${orderId} is not recorded`)
}

test.group('Confirms that PostgreSQL could not take', (group) => {
  let proxy: DatabaseProxy
  group.each.setup(async () => {
    proxy = await DatabaseProxy.start()
    return () => proxy.stop()
  })

  test('are recorded when it is back, however long it was away', async ({ assert }) => {
    const partner = await aPartner()
    const late = new LateAttempts(QUICK)
    const orderId = uniqueKey('order')
    await byPort(proxy.port, async () => {
      proxy.cut()
      const arrivedAt = Date.now()
      late.add(received(partner, orderId), BUSY)
      while (proxy.refused < MANY_TRIES) await sleep(20)
      assert.equal(late.size, 1)
      proxy.restore()

      const attempt = await untilRecorded(orderId)
      assert.closeTo(attempt.received_ms as number, arrivedAt, 250)
      assert.containsSubset(attempt, {
        http_status: 503,
        code: 'SERVICE_BUSY',
        signature_valid: true,
        amount_raw: '24000',
        method: 'card',
      })
      while (late.size > 0) await sleep(10)
    })
    assert.lengthOf(await attemptsAt(orderId), 1)
  })

  test('are kept up to a limit', async ({ assert }) => {
    const partner = await aPartner()
    const late = new LateAttempts({ ...QUICK, maxWaiting: 3 })
    const ids = Array.from({ length: 5 }, () => uniqueKey('order'))
    await byPort(proxy.port, async () => {
      proxy.cut()
      for (const id of ids) late.add(received(partner, id), BUSY)
      assert.equal(late.size, 3)
      proxy.restore()
      for (const id of ids.slice(0, 3)) await untilRecorded(id)
    })
    for (const id of ids.slice(3)) assert.isEmpty(await attemptsAt(id))
  })

  test('do not wait for one that can never be stored', async ({ assert }) => {
    const partner = await aPartner()
    const late = new LateAttempts(QUICK)
    const orderId = uniqueKey('order')
    late.add(received({ ...partner, id: 2_000_000_000 }, uniqueKey('order')), BUSY)
    late.add(received(partner, orderId), BUSY)
    await untilRecorded(orderId)
    while (late.size > 0) await sleep(10)
    assert.equal(late.size, 0)
  })
})

test.group('Confirms that a stopping process could not record', (group) => {
  const scratch = scratchDirectory(group)
  let proxy: DatabaseProxy
  const storage = platform.storageDirectory
  group.each.setup(async () => {
    platform.storageDirectory = scratch.path
    proxy = await DatabaseProxy.start()
    return async () => {
      platform.storageDirectory = storage
      await proxy.stop()
    }
  })
  async function filesOf() {
    const names = await readdir(scratch.at('confirms'))
    return names.filter((name) => name.endsWith('.jsonl'))
  }
  async function untilSaved(files: number) {
    let names = await filesOf()
    while (names.length < files) {
      await sleep(10)
      names = await filesOf()
    }
  }

  test('are saved to a file of their own and recorded by a worker', async ({ assert }) => {
    const { client, order } = await anOrder()
    const web = await WebProcess.start({
      DATABASE_URL: urlByPort(proxy.port),
      STORAGE_DIRECTORY: scratch.path,
    })
    const there = new PartnerClient(client.credentials, web.url)
    proxy.cut()
    const sentAt = Date.now()
    const payment = paymentOf(24_000, { card_holder: 'AIGERIM SEITKALI' })
    const answer = await there.post(`/orders/${order.order_id}/confirm`, payment)
    assert.equal(outcomeOf(answer), '503 SERVICE_BUSY')
    assert.equal(await web.stop('SIGTERM'), 0)

    const [name, ...others] = await filesOf()
    assert.isEmpty(others)
    const path = join(scratch.at('confirms'), name)
    const { mode } = await stat(path)
    assert.equal(mode & 0o777, 0o600)
    assert.notInclude(await readFile(path, 'utf8'), 'AIGERIM')
    assert.isEmpty(await attemptsAt(order.order_id))

    await Promise.all([runJob('record_saved_attempts', {}), runJob('record_saved_attempts', {})])
    const [attempt, ...more] = await attemptsAt(order.order_id)
    assert.isEmpty(more)
    assert.containsSubset(attempt, {
      http_status: 503,
      code: 'SERVICE_BUSY',
      signature_valid: true,
      amount_raw: '24000',
      amount_tenge: 24_000n,
      order_status: 'pending',
      external_payment_id: payment.payment_info.external_payment_id,
    })
    assert.closeTo(attempt.received_ms as number, sentAt, 1_000)
    assert.isEmpty(await filesOf())
  })

  test('stay in their file for as long as PostgreSQL is away', async ({ assert }) => {
    const partner = await aPartner()
    const ids = [uniqueKey('order'), uniqueKey('order')]
    await saveAttempts(ids.map((id) => toLateAttempt(received(partner, id), BUSY)))
    await byPort(proxy.port, async () => {
      proxy.cut()
      await assert.rejects(() => runJob('record_saved_attempts', {}))
    })
    const [name] = await filesOf()
    const text = await readFile(join(scratch.at('confirms'), name), 'utf8')
    assert.lengthOf(text.trim().split('\n'), 2)

    await runJob('record_saved_attempts', {})
    for (const id of ids) assert.lengthOf(await attemptsAt(id), 1)
    assert.isEmpty(await filesOf())
  })

  test('are dated by their arrival, however long they lay in the file', async ({ assert }) => {
    const partner = await aPartner()
    const orderId = uniqueKey('order')
    const anHourAgo = { ...received(partner, orderId), arrivedAt: performance.now() - 3_600_000 }
    await saveAttempts([toLateAttempt(anHourAgo, BUSY)])
    await runJob('record_saved_attempts', {})
    const [attempt] = await attemptsAt(orderId)
    assert.closeTo(attempt.received_ms as number, Date.now() - 3_600_000, 5_000)
  })

  test('whose answer alone is missing are not written again', async ({ assert }) => {
    const partner = await aPartner()
    const orderId = uniqueKey('order')
    const confirm = received(partner, orderId)
    const stored = await insertAttempt(confirm, true)
    await recordLateAttempt({ ...toLateAttempt(confirm, BUSY), attempt: stored })
    const attempts = await attemptsAt(orderId)
    assert.deepEqual(
      attempts.map((attempt) => attempt.http_status as number),
      [503]
    )
  })

  test('that came after its last try are saved too', async ({ assert }) => {
    const partner = await aPartner()
    const late = new LateAttempts(QUICK)
    const ids = [uniqueKey('order'), uniqueKey('order')]
    await byPort(proxy.port, async () => {
      proxy.cut()
      late.add(received(partner, ids[0], { amount_tenge: 1.5, paid_at: 'soon' }), BUSY)
      await late.close()
      late.add(received(partner, ids[1]), BUSY)
      await untilSaved(2)
    })
    await runJob('record_saved_attempts', {})
    const [[first], [second]] = [await attemptsAt(ids[0]), await attemptsAt(ids[1])]
    const unreadable = { amount_raw: '1.5', amount_tenge: null, paid_at_raw: 'soon', paid_at: null }
    assert.containsSubset(first, unreadable)
    assert.containsSubset(second, { amount_raw: '24000', http_status: 503 })
  })
})
