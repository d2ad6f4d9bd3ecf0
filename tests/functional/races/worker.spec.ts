import { urlByPort } from '#tests/support/other_database'
import { test } from '@japa/runner'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { constants, getPriority } from 'node:os'
import { sleep } from './support/crowd.js'
import { DatabaseProxy } from './support/database_proxy.js'
import { RedisProcess } from './support/redis_process.js'
import { rows } from './support/sql.js'
import { freePort } from './support/web_process.js'
import { WorkerProcess } from './support/worker_process.js'

function threadsOf(pid: number) {
  const tasks = `/proc/${pid}/task`
  return existsSync(tasks) ? readdirSync(tasks).map(Number) : [pid]
}

async function untilReady(url: string) {
  const deadline = Date.now() + 20_000
  const isReady = () =>
    fetch(`${url}/health/ready`).then(
      ({ ok }) => ok,
      () => false
    )
  while (!(await isReady()) && Date.now() < deadline) await sleep(100)
}

test.group('Worker process', (group) => {
  let redis: RedisProcess
  group.each.setup(async () => {
    redis = await RedisProcess.start()
  })
  group.each.teardown(() => redis.kill())

  test('reports its status over HTTP, and removes its heartbeat when it ends', async ({
    assert,
  }) => {
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    const worker = new WorkerProcess({ REDIS_URL: redis.url, WORKER_PORT: String(port) })
    worker.start()
    await untilReady(url)
    const get = async (path: string, headers = {}) => {
      const response = await fetch(url + path, { headers })
      return { status: response.status, text: await response.text() }
    }
    assert.deepInclude(await get('/health/live'), { status: 200 })
    assert.deepInclude(await get('/health/ready'), { status: 200 })
    assert.deepInclude(await get('/'), { status: 404 })
    const token = { Authorization: `Bearer ${process.env.METRICS_TOKEN}` }
    const metrics = await get('/metrics', token)
    assert.equal(metrics.status, 200)
    assert.match(metrics.text, /^nodejs_eventloop_lag_p99_seconds /m)
    assert.match(metrics.text, /^workers\{mode="queue"\} [1-9]/m)
    assert.deepInclude(await get('/metrics'), { status: 404 })

    assert.equal(getPriority(worker.pid), getPriority())
    const trace = () => rows('SELECT 1 FROM workers WHERE pid = $1', [worker.pid])
    assert.lengthOf(await trace(), 1)
    assert.equal(await worker.stop(), 0)
    assert.lengthOf(await trace(), 0)
  })

  test('a worker of runs alone has a lower priority, and exits with 0 without Redis', async ({
    assert,
  }) => {
    const port = await freePort()
    const worker = new WorkerProcess({ REDIS_URL: redis.url, WORKER_PORT: String(port) })
    worker.start(['--queues=runs'], { detached: true })
    await untilReady(`http://127.0.0.1:${port}`)
    for (const thread of threadsOf(worker.pid!))
      assert.equal(getPriority(thread), constants.priority.PRIORITY_LOW)
    const session = `/proc/${worker.pid}/autogroup`
    if (existsSync(session)) assert.match(readFileSync(session, 'utf8'), /nice 19$/m)
    await redis.kill()
    await sleep(500)
    const began = Date.now()
    assert.equal(await worker.stop(), 0)
    assert.isBelow(Date.now() - began, 25_000)
  })

  test('ends at once when it is stopped during its start', async ({ assert }) => {
    const endings = [400, 800, 1200, 1600, 2000, 2400, 2800].map(async (afterMs) => {
      const worker = new WorkerProcess({ REDIS_URL: redis.url })
      worker.start()
      await sleep(afterMs)
      const began = Date.now()
      const code = await Promise.race([worker.stop(), sleep(15_000).then(() => 'too late')])
      await worker.stop('SIGKILL')
      return { code, tookMs: Date.now() - began }
    })
    for (const { code } of await Promise.all(endings)) assert.oneOf(code, [0, 'SIGTERM'])
  }).timeout(30_000)

  test('ends when it is stopped while it waits for PostgreSQL, its port already open', async ({
    assert,
    cleanup,
  }) => {
    const proxy = await DatabaseProxy.start()
    proxy.freeze()
    cleanup(() => proxy.stop())
    const port = await freePort()
    const worker = new WorkerProcess({
      REDIS_URL: redis.url,
      DATABASE_URL: urlByPort(proxy.port),
      WORKER_PORT: String(port),
    })
    worker.start()
    cleanup(() => void worker.stop('SIGKILL'))
    const isLive = () =>
      fetch(`http://127.0.0.1:${port}/health/live`).then(
        ({ ok }) => ok,
        () => false
      )
    while (!(await isLive())) await sleep(50)
    // It waits for the silence of PostgreSQL to end, 9 s; a supervisor kills it after 30 s.
    const ended = await Promise.race([worker.stop(), sleep(30_000).then(() => 'too late')])
    assert.equal(ended, 0)
  }).timeout(60_000)

  test('refuses a Redis whose policy evicts keys', async ({ assert }) => {
    await redis.set('maxmemory-policy', 'allkeys-lru')
    const worker = new WorkerProcess({ REDIS_URL: redis.url })
    worker.start()
    assert.equal(await worker.ended, 1)
  }).timeout(30_000)
})
