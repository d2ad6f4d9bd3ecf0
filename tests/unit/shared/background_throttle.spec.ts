import { BackgroundThrottle } from '#shared/background_throttle'
import { connectLimits, enter, hasRecentRequests } from '#shared/rate_limit'

import { test } from '@japa/runner'
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'

const WORK_MS = 40

/** A clock that only work moves, so that a busy machine counts no work that nobody did. */
function workClock() {
  let time = 0
  return { now: () => time, work: () => void (time += WORK_MS) }
}

async function timeOf(pause: Promise<void> | undefined) {
  const began = performance.now()
  await pause
  return performance.now() - began
}

test.group('Background throttle', () => {
  test('pauses for a multiple of the time it has worked, while partners send requests', async ({
    assert,
  }) => {
    const { now, work } = workClock()
    const throttle = new BackgroundThrottle({
      hasRecentRequests: async () => true,
      pauseFactor: 3,
      now,
    })
    assert.isUndefined(throttle.pause())
    work()
    assert.isAtLeast(await timeOf(throttle.pause()), 3 * WORK_MS - 1)
    // The next stretch of work starts after the pause.
    assert.isUndefined(throttle.pause())
  })

  test('does not pause without requests, and checks for them only now and then', async ({
    assert,
  }) => {
    const { now, work } = workClock()
    let checks = 0
    const isQuiet = async () => {
      checks++
      return false
    }
    const throttle = new BackgroundThrottle({ hasRecentRequests: isQuiet, pauseFactor: 1_000, now })
    for (let turn = 0; turn < 5; turn++) {
      work()
      assert.isBelow(await timeOf(throttle.pause()), (1_000 * WORK_MS) / 2)
    }
    assert.equal(checks, 1)
  })

  test('ends a pause at once when it is aborted', async ({ assert }) => {
    const { now, work } = workClock()
    const stop = new AbortController()
    const throttle = new BackgroundThrottle({
      hasRecentRequests: async () => true,
      pauseFactor: 1_000,
      signal: stop.signal,
      now,
    })
    work()
    const pause = throttle.pause()!
    await delay(10)
    stop.abort()
    await assert.rejects(() => pause)
  })

  test('a request counts as recent for two seconds', async ({ assert }) => {
    await connectLimits()
    await enter({ key: `test:${randomUUID()}`, perMinute: 10 })
    assert.isTrue(await hasRecentRequests())
    await delay(2_100)
    assert.isFalse(await hasRecentRequests())
  })
})
