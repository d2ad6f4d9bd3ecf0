import SetEndpoint from '#webhooks/actions/set_endpoint'
import { aSale, TESTER } from '#tests/support/fixtures'
import { aHostileReceiver, drips, floods, saysAndEnds } from '#tests/support/hostile_receiver'
import { aReceiver } from '#tests/support/receiver'
import { test } from '@japa/runner'
import { randomUUID } from 'node:crypto'
import { sleep } from './support/crowd.js'
import { RedisProcess } from './support/redis_process.js'
import { relayHasPassed } from './support/relay.js'
import { count, rows } from './support/sql.js'
import { WorkerProcess } from './support/worker_process.js'

const DELIVERIES = Number(process.env.WEBHOOKS ?? 300)
const END_CONNECTIONS = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE application_name = 'ticket-partners' AND query LIKE '%webhook%' AND pid <> pg_backend_pid()`

/** Records expired bookings in the journal, as the sweep does. */
const recordExpired = (partnerId: number, eventId: string, times: number) =>
  rows(
    `INSERT INTO journal (name, actor_kind, actor, partner_id, event_id, booking_id, change)
     SELECT 'booking_expired', 'clock', 'clock', $1, $2, 'bkg_' || n || $4,
            jsonb_build_object('expired_at', now(), 'seats', jsonb_build_array('seat-1-1'))
       FROM generate_series(1, $3) n`,
    [partnerId, eventId, times, randomUUID()]
  )

/** Time passes: leases end, and what is to be repeated is due; what a worker is writing just now, the next time. */
const passTime = async (endpointId: number) => {
  await rows(
    'UPDATE webhook_endpoints SET round = NULL, round_until = NULL, paused_until = NULL WHERE id = $1',
    [endpointId]
  )
  await rows(
    `UPDATE webhook_deliveries SET next_at = clock_timestamp(), locked_until = NULL
      WHERE id IN (SELECT id FROM webhook_deliveries
                    WHERE endpoint_id = $1 AND status = 'pending' FOR UPDATE SKIP LOCKED)`,
    [endpointId]
  )
}

/** Quantile of the seconds from a journal entry to the end of its delivery. */
const delayOf = (endpointId: number, part: number) =>
  count(
    `SELECT percentile_disc($2) WITHIN GROUP (ORDER BY extract(epoch FROM d.ended_at - j.at))
       FROM webhook_deliveries d JOIN journal j ON j.id = d.journal_id WHERE d.endpoint_id = $1`,
    [endpointId, part]
  )

test.group('Webhooks during faults', (group) => {
  let redis: RedisProcess
  let worker: WorkerProcess
  group.setup(async () => {
    redis = await RedisProcess.start()
    worker = new WorkerProcess({ REDIS_URL: redis.url })
    worker.start()
  })
  group.teardown(async () => {
    await worker.stop('SIGKILL')
    await redis.kill()
  })

  test(`${DELIVERIES} deliveries with workers killed, Redis flushed and connections ended: none is lost`, async ({
    assert,
  }) => {
    let answered = 0
    const receiver = await aReceiver((response) => {
      answered++
      response.statusCode = answered % 10 === 0 ? 500 : 200
      setTimeout(() => response.end(), 20)
    })
    const { partner, event } = await aSale()
    await relayHasPassed()
    const { id } = await new SetEndpoint().handle({
      partnerCode: partner.code,
      url: receiver.url,
      actor: TESTER,
    })
    await recordExpired(partner.id, event.id, DELIVERIES)

    const left = () =>
      count(
        `SELECT count(*) FROM webhook_deliveries WHERE endpoint_id = $1 AND status <> 'delivered'`,
        [id]
      )
    const got = async (atLeast: number) => {
      const deadline = Date.now() + 30_000
      while (receiver.received.length < atLeast && Date.now() < deadline) await sleep(20)
    }
    const faults = [
      () => worker.stop('SIGKILL').then(() => worker.start()),
      () => redis.kill().then(() => redis.start()),
      () => rows(END_CONNECTIONS),
      () => worker.stop('SIGKILL').then(() => worker.start()),
    ]
    for (const [index, fault] of faults.entries()) {
      await got(((index + 1) * DELIVERIES) / (faults.length + 1))
      await fault()
      await passTime(id)
    }
    const deadline = Date.now() + 60_000
    while ((receiver.received.length < DELIVERIES || (await left()) > 0) && Date.now() < deadline) {
      await sleep(500)
      await passTime(id)
    }

    const ids = new Set(receiver.received.map(({ json }) => json.delivery_id))
    const made = await rows(
      'SELECT webhook_id, attempts FROM webhook_deliveries WHERE endpoint_id = $1',
      [id]
    )
    receiver.close()
    assert.equal(await left(), 0)
    assert.lengthOf(made, DELIVERIES)
    assert.deepEqual(
      made.filter((each) => !ids.has(each.webhook_id)),
      []
    )
    const logged = await count(
      `SELECT count(*) FROM webhook_attempts a JOIN webhook_deliveries d ON d.id = a.delivery_id WHERE d.endpoint_id = $1`,
      [id]
    )
    assert.isAtLeast(logged, DELIVERIES)
  }).timeout(180_000)

  test('a stopping worker finishes its deliveries and exits with 0', async ({ assert }) => {
    const receiver = await aReceiver((response) => setTimeout(() => response.end(), 1500))
    const { partner, event } = await aSale()
    await relayHasPassed()
    const { id } = await new SetEndpoint().handle({
      partnerCode: partner.code,
      url: receiver.url,
      actor: TESTER,
    })
    await recordExpired(partner.id, event.id, 3)
    const deadline = Date.now() + 20_000
    while (receiver.received.length < 3 && Date.now() < deadline) await sleep(20)

    const code = await worker.stop('SIGTERM')
    receiver.close()
    worker.start()
    assert.equal(code, 0)
    assert.equal(
      await count(
        `SELECT count(*) FROM webhook_deliveries WHERE endpoint_id = $1 AND status = 'delivered'`,
        [id]
      ),
      3
    )
  })

  test('endpoints that never answer, send slowly, flood or hang up do not delay another', async ({
    assert,
  }) => {
    const recordNews = async (url: string, times: number) => {
      const { partner, event } = await aSale()
      await relayHasPassed()
      const { code: partnerCode } = partner
      const { id } = await new SetEndpoint().handle({ partnerCode, url, actor: TESTER })
      await recordExpired(partner.id, event.id, times)
      return id
    }
    const head = 'HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n'
    const behaviours = [() => {}, drips(head), floods(head, 'x'), saysAndEnds('')]
    const hostile = await Promise.all(behaviours.map((behave) => aHostileReceiver(behave)))
    for (const { url } of hostile) await recordNews(url, 50)
    const deadline = Date.now() + 20_000
    const areBusy = () => hostile.every(({ connections }) => connections > 0)
    while (!areBusy() && Date.now() < deadline) await sleep(20)
    assert.isTrue(areBusy())

    const alive = await aReceiver()
    const id = await recordNews(alive.url, 50)
    while (alive.received.length < 50 && Date.now() < deadline) await sleep(20)
    const settled = () =>
      count(
        `SELECT count(*) FROM webhook_deliveries WHERE endpoint_id = $1 AND status = 'delivered'`,
        [id]
      )
    while ((await settled()) < 50 && Date.now() < deadline) await sleep(50)
    for (const receiver of [...hostile, alive]) receiver.close()
    assert.equal(await settled(), 50)
    // Behind one that never answers it would be fifteen seconds.
    assert.isBelow(await delayOf(id, 0.95), 5)
  })
})
