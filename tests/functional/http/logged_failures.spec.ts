import { sleep, together } from '#tests/functional/races/support/crowd'
import { RedisProcess } from '#tests/functional/races/support/redis_process'
import { WorkerProcess } from '#tests/functional/races/support/worker_process'
import { WebProcess, freePort } from '#tests/functional/races/support/web_process'
import { StaffClient } from '#tests/support/staff_client'
import { test } from '@japa/runner'
import { connect } from 'node:net'

const ERRORS = ['error', 'fatal']

/** Sends bytes, waits and resets the connection. */
async function sendAndReset(port: number, text: string, afterMs: number) {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  socket.write(text)
  await sleep(afterMs)
  socket.resetAndDestroy()
}

const head = (...lines: string[]) => [...lines, 'Host: x', '', ''].join('\r\n')

test.group('Logging of failures', () => {
  test('disconnected clients are not logged as errors', async ({ assert }) => {
    const web = await WebProcess.start({ LOG_LEVEL: 'info', SESSION_DRIVER: 'redis' })
    const json = 'Content-Type: application/json'
    const unfinished = [
      head('POST /api/v1/partners/bookings HTTP/1.1', json, 'X-Api-Key: x', 'Content-Length: 900'),
      head('POST /api/v1/gate/scans HTTP/1.1', json, 'Content-Length: 900'),
      head('POST /back-office/sign-in HTTP/1.1', json, 'Content-Length: 900'),
      head('GET /docs/guide HTTP/1.1'),
      head('GET /api/v1/partners/events HTTP/1.1'),
      head('GET /health/ready HTTP/1.1'),
    ]
    const staff = await StaffClient.signedIn('admin', web.url)
    await together(30, async (index) => {
      await sendAndReset(web.port, unfinished[index % unfinished.length], index % 7)
    })
    const stream = await staff.stream('/back-office/journal/export')
    stream.destroy()
    await sleep(500)
    await web.stop()

    const requests = web.logged.filter(({ msg }) => msg === 'request')
    assert.isAbove(requests.filter(({ aborted }) => aborted).length, 5)
    assert.include(
      requests.map(({ status }) => status),
      499
    )
    assert.deepEqual(
      web.logged.filter(({ level }) => ERRORS.includes(level)),
      []
    )
  })

  test('what a client sends begins no line of its own in the log', async ({ assert }) => {
    const web = await WebProcess.start({ LOG_LEVEL: 'info' })
    const line = '{"level":"fatal","msg":"forged"}'
    await fetch(`${web.url}/back-office/sign-in?to=${encodeURIComponent(`\n${line}`)}`)
    await fetch(`${web.url}/docs/%0A${encodeURIComponent(line)}`, {
      headers: { 'X-Request-Id': line, 'User-Agent': line, 'X-Forwarded-For': `1.1.1.1, ${line}` },
    })
    await fetch(`${web.url}/api/v1/partners/bookings`, { method: 'POST', body: `\n${line}\n` })
    await web.stop()
    assert.lengthOf(
      web.logged.filter(({ msg, route }) => msg === 'request' && route !== '/health/ready'),
      3
    )
    assert.isFalse(web.logged.some(({ msg }) => msg === 'forged'))
  })

  test('while PostgreSQL is down one error with a stack is logged per second', async ({
    assert,
  }) => {
    const deaf = `postgresql://nobody@127.0.0.1:${await freePort()}/none`
    const web = await WebProcess.start({ DATABASE_URL: deaf, LOG_LEVEL: 'info' })
    const began = performance.now()
    await together(40, async (index) => {
      const path = index % 2 ? `/plans/${'0'.repeat(64)}.svg` : '/api/v1/partners/events'
      const headers = {
        'X-Api-Key': `pk_sandbox_${'x'.repeat(32)}`,
        'X-Forwarded-For': `198.51.100.${index}`,
      }
      await fetch(web.url + path, { headers })
    })
    await sleep(1_200)
    const seconds = (performance.now() - began) / 1000
    await web.stop()

    const stacks = web.logged.filter(({ err }) => err?.stack)
    const stoodFor = stacks.reduce((sum, { count }) => sum + (count ?? 1), 0)
    assert.isAtLeast(stoodFor, 40)
    assert.isAtMost(stacks.length, 2 + 2 * seconds)
    // Each request has its line all the same.
    assert.lengthOf(
      web.logged.filter(({ msg, status }) => msg === 'request' && Number(status) >= 500),
      40
    )
  })

  test('while PostgreSQL is down a worker logs one error with a stack per second', async ({
    assert,
    cleanup,
  }) => {
    const deaf = `postgresql://nobody@127.0.0.1:${await freePort()}/none`
    const redis = await RedisProcess.start()
    const worker = new WorkerProcess({
      DATABASE_URL: deaf,
      REDIS_URL: redis.url,
      LOG_LEVEL: 'error',
    })
    cleanup(async () => {
      await worker.stop('SIGKILL')
      await redis.kill()
    })
    worker.start()
    const failedJobs = () => worker.logged.filter(({ msg }) => msg === 'job failed')
    const failures = () => failedJobs().reduce((sum, { count }) => sum + (count ?? 1), 0)
    const deadline = performance.now() + 30_000
    while (failures() < 15 && performance.now() < deadline) await sleep(50)

    assert.isAtLeast(failures(), 15)
    const times = failedJobs().map(({ time }) => Date.parse(time))
    const seconds = (Math.max(...times) - Math.min(...times)) / 1000
    assert.isAtMost(failedJobs().length, 2 + seconds)
    assert.isTrue(failedJobs().every(({ job, err }) => job && err?.stack))
  })

  test('a refusal is logged with its address and code, levels are words and times ISO', async ({
    assert,
  }) => {
    const web = await WebProcess.start({ LOG_LEVEL: 'info' })
    const headers = { 'X-Api-Key': 'pk_sandbox_nobody', 'X-Forwarded-For': '198.51.100.7' }
    await fetch(`${web.url}/api/v1/partners/events`, { headers })
    await fetch(`${web.url}/health/live`, { headers })
    await web.stop()
    const [refused, answered] = web.logged
      .filter(({ msg, status }) => msg === 'request' && status !== undefined && status !== 503)
      .slice(-2)
    assert.deepInclude(refused, {
      level: 'info',
      status: 401,
      code: 'INVALID_API_KEY',
      address: '198.51.100.7',
    })
    assert.match(refused.time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    // Whoever is not refused need not be named.
    assert.equal(answered.status, 200)
    assert.isUndefined(answered.address)
  })
})
