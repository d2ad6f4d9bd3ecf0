import PingEndpoint from '#webhooks/actions/ping_endpoint'
import SetEndpoint from '#webhooks/actions/set_endpoint'
import { aPartner, TESTER } from '#tests/support/fixtures'
import { aReceiver } from '#tests/support/receiver'
import { rows } from '#tests/support/rows'
import { sleep } from '#tests/functional/races/support/crowd'
import { RedisProcess } from '#tests/functional/races/support/redis_process'
import { WorkerProcess } from '#tests/functional/races/support/worker_process'
import { test } from '@japa/runner'
import { Queue } from 'bullmq'

const ODD: [what: string, name: string, data: unknown][] = [
  ['a name that no version knows', 'send_pigeon', {}],
  ['a name that every object knows', 'constructor', {}],
  ['deliveries for nobody', 'deliver_webhooks', {}],
  ['deliveries of no data', 'deliver_webhooks', null],
  ['deliveries for a word', 'deliver_webhooks', { id: 'endpoint-1' }],
  ['deliveries for an id larger than any', 'deliver_webhooks', { id: 2 ** 31 }],
  ['deliveries for a fraction', 'deliver_webhooks', { id: 1.5 }],
  ['deliveries as a list', 'deliver_webhooks', [1]],
]

const until = async (isSo: () => boolean | Promise<boolean>, withinMs = 20_000) => {
  const deadline = Date.now() + withinMs
  while (!(await isSo()) && Date.now() < deadline) await sleep(50)
}

/** A partner whose endpoint gets what the worker sends. */
async function aListener() {
  const { code } = await aPartner()
  const receiver = await aReceiver()
  await new SetEndpoint().handle({ partnerCode: code, url: receiver.url, actor: TESTER })
  const ping = () => new PingEndpoint().handle({ partnerCode: code })
  return { receiver, ping }
}

test.group('Invalid jobs', (group) => {
  let redis: RedisProcess
  let worker: WorkerProcess
  let queue: Queue
  group.setup(async () => {
    redis = await RedisProcess.start()
    worker = new WorkerProcess({ REDIS_URL: redis.url, LOG_LEVEL: 'error' })
    worker.start()
    queue = new Queue('webhooks', { connection: { url: redis.url }, prefix: 'jobs' })
  })
  group.teardown(async () => {
    await worker.stop('SIGKILL')
    await queue.close()
    await redis.kill()
  })
  const ended = async (name: string, data: unknown) => {
    const { id } = await queue.add(name, data, { attempts: 5, backoff: 10 })
    await until(async () => ['failed', 'completed'].includes(await queue.getJobState(id!)))
    const job = await queue.getJob(id!)
    return { state: await queue.getJobState(id!), made: job!.attemptsMade, why: job!.failedReason }
  }

  for (const [what, name, data] of ODD) {
    test(`${what}: fails at once and is logged`, async ({ assert }) => {
      const { state, made, why } = await ended(name, data)
      assert.deepEqual([state, made], ['failed', 1])
      assert.match(why, /there is no job|wants the id of a row/)
      const isLogged = () =>
        worker.logged.some(({ job, err }) => job === name && err?.message === why)
      await until(isLogged, 5_000)
      assert.isTrue(isLogged())
    })
  }

  test('deliveries for an unknown endpoint: nothing to do', async ({ assert }) => {
    const { state } = await ended('deliver_webhooks', { id: 2 ** 31 - 1 })
    assert.equal(state, 'completed')
  })

  test('the worker continues with other deliveries', async ({ assert }) => {
    const { receiver, ping } = await aListener()
    await ping()
    await until(() => receiver.received.length > 0)
    receiver.close()
    assert.lengthOf(receiver.received, 1)
  })

  test('a failed scheduled job is logged by its name and run again at the next tick', async ({
    assert,
  }) => {
    const { receiver, ping } = await aListener()
    const failures = () =>
      worker.logged.filter(({ job, msg }) => job === 'relay_news' && msg === 'job failed').length
    await rows('ALTER TABLE webhook_relay RENAME TO webhook_relay_away')
    try {
      await until(() => failures() >= 3)
    } finally {
      await rows('ALTER TABLE webhook_relay_away RENAME TO webhook_relay')
    }
    assert.isAtLeast(failures(), 3)

    await ping()
    await until(() => receiver.received.length > 0)
    receiver.close()
    assert.lengthOf(receiver.received, 1)
  })
})
