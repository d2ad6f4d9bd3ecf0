import { RedisProcess } from '#tests/functional/races/support/redis_process'
import { freePort, WebProcess } from '#tests/functional/races/support/web_process'
import { sleep } from '#tests/functional/races/support/crowd'
import { WorkerProcess } from '#tests/functional/races/support/worker_process'
import { StaffClient } from '#tests/support/staff_client'
import { test } from '@japa/runner'

test.group('Staff without Redis', (group) => {
  let redis: RedisProcess
  let web: WebProcess
  group.setup(async () => {
    redis = await RedisProcess.start()
    web = await WebProcess.start({ REDIS_URL: redis.url, SESSION_DRIVER: 'redis' })
    return async () => {
      await web.stop()
      await redis.kill()
    }
  })

  test('sign-in and every page answer 503 with Retry-After, and go on when Redis is back', async ({
    assert,
  }) => {
    const staff = await StaffClient.signedIn('admin', web.url)
    await redis.kill()
    for (const path of ['/back-office/sign-in', '/back-office/events']) {
      const response = await fetch(web.url + path, { redirect: 'manual' })
      assert.equal(response.status, 503, path)
      assert.equal(response.headers.get('retry-after'), '1')
    }
    await redis.start()
    const again = await StaffClient.signedIn('admin', web.url)
    const [signedIn, signedOut] = [
      await again.get('/back-office/events'),
      // Its session was in Redis, which has lost it.
      await staff.get('/back-office/events'),
    ]
    assert.deepEqual([signedIn.status, signedOut.status], [200, 302])
  })
})

test.group('A worker without Redis', () => {
  test('logs once that Redis is away, and once that it is back', async ({ assert, cleanup }) => {
    const redis = await RedisProcess.start()
    const port = await freePort()
    const worker = new WorkerProcess({
      REDIS_URL: redis.url,
      LOG_LEVEL: 'info',
      WORKER_PORT: String(port),
    })
    cleanup(async () => {
      await worker.stop('SIGKILL')
      await redis.kill()
    })
    worker.start()
    const lines = (pattern: RegExp) => worker.logged.filter(({ msg }) => pattern.test(msg))
    const until = async (isSo: () => boolean | Promise<boolean>) => {
      const deadline = Date.now() + 20_000
      while (!(await isSo()) && Date.now() < deadline) await sleep(50)
    }
    const isReady = () =>
      fetch(`http://127.0.0.1:${port}/health/ready`).then(
        ({ ok }) => ok,
        () => false
      )
    await until(isReady)
    await redis.kill()
    // Several attempts to connect again, of several connections.
    await sleep(3_000)
    await redis.start()
    await until(() => lines(/^Redis answers again/).length > 0)
    assert.lengthOf(lines(/^Redis is away/), 1)
    assert.lengthOf(lines(/^Redis answers again/), 1)
    const attempts = worker.logged.filter(
      (line) =>
        line.msg !== 'Redis is away' && /ECONN|Connection is closed/.test(JSON.stringify(line))
    )
    assert.deepEqual(attempts, [])
  })
})
