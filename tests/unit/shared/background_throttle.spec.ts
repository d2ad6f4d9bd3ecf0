import { GiveWay } from '#shared/give_way'
import { connectLimits, enter, isAsked } from '#shared/rate_limit'

import { test } from '@japa/runner'
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'

const WORK_MS = 40

/** Computes for so long. */
function work() {
  const began = performance.now()
  while (performance.now() - began < WORK_MS);
}

async function timeOf(rest: Promise<void> | undefined) {
  const began = performance.now()
  await rest
  return performance.now() - began
}

test.group('Background throttle', () => {
  test('pauses a multiple of the working time while partners send requests', async ({ assert }) => {
    const giveWay = new GiveWay({ isAsked: async () => true, rests: 3 })
    assert.isUndefined(giveWay.turn())
    work()
    assert.isAtLeast(await timeOf(giveWay.turn()), 3 * WORK_MS - 1)
    // A new stretch of work begins here.
    assert.isUndefined(giveWay.turn())
  })

  test('does not pause without requests, and checks now and then', async ({ assert }) => {
    let looks = 0
    const isNobody = async () => {
      looks++
      return false
    }
    const giveWay = new GiveWay({ isAsked: isNobody, rests: 1_000 })
    for (let turn = 0; turn < 5; turn++) {
      work()
      assert.isBelow(await timeOf(giveWay.turn()), WORK_MS)
    }
    assert.equal(looks, 1)
  })

  test('ends a pause at once on a stop signal', async ({ assert }) => {
    const stop = new AbortController()
    const giveWay = new GiveWay({ isAsked: async () => true, rests: 1_000, signal: stop.signal })
    work()
    const rest = giveWay.turn()!
    await delay(10)
    stop.abort()
    await assert.rejects(() => rest)
  })

  test('a counted request counts as waiting for two seconds', async ({ assert }) => {
    await connectLimits()
    await enter({ key: `test:${randomUUID()}`, perMinute: 10 })
    assert.isTrue(await isAsked())
    await delay(2_100)
    assert.isFalse(await isAsked())
  })
})
