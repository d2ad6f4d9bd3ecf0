import type { Budget } from '#shared/budget'
import { MemoryLimiter } from '#shared/memory_limiter'
import { enter, hasRecentRequests, leave, standingOf } from '#shared/rate_limit'
import redis from '@adonisjs/redis/services/main'
import { test } from '@japa/runner'
import fc from 'fast-check'
import { randomUUID } from 'node:crypto'

const REFUSED_BY = [null, 'rate', 'concurrency']

interface Seen {
  refusedBy: string | null
  remaining: number
  slot: string
}

/** The same budget at the shared limiter and at the one of a process. */
class Both {
  #memory = new MemoryLimiter()
  readonly budget: Budget

  constructor(limits: Omit<Budget, 'key'>) {
    this.budget = { key: `test:${randomUUID()}`, ...limits }
  }

  async enter(cost: 0 | 1 = 1): Promise<{ shared: Seen; own: Seen }> {
    const slot = randomUUID()
    const shared = await enter(this.budget, cost)
    const [code, remaining] = this.#memory.admit(this.budget, slot, cost)
    return { shared, own: { refusedBy: REFUSED_BY[code], remaining: Math.max(0, remaining), slot } }
  }

  async leave({ shared, own }: { shared: Seen; own: Seen }) {
    leave(this.budget, shared.slot)
    // The slot is given back without waiting; a question on the same connection comes after it.
    await redis.connection('limits').ioConnection.ping()
    this.#memory.leave(this.budget, own.slot)
  }
}

const summaryOf = ({ refusedBy, remaining }: Seen) => `${refusedBy} ${remaining}`

test.group('Limits in Redis and in the process', (group) => {
  group.setup(async () => {
    await redis
      .connection('limits')
      .ioConnection.ping()
      .catch(() => {})
    const client = redis.connection('limits').ioConnection
    if (client.status !== 'ready') await new Promise((resolve) => client.once('ready', resolve))
  })

  test('exactly the limit passes, and each answer has the remaining number', async ({ assert }) => {
    const both = new Both({ perMinute: 3 })
    const answers = []
    for (let i = 0; i < 5; i++) answers.push(await both.enter())

    const expected = ['null 2', 'null 1', 'null 0', 'rate 0', 'rate 0']
    assert.deepEqual(
      answers.map(({ shared }) => summaryOf(shared)),
      expected
    )
    assert.deepEqual(
      answers.map(({ own }) => summaryOf(own)),
      expected
    )
  })

  test('expired seconds are removed once, by any process', async ({ assert }) => {
    const budget = { key: `test:${randomUUID()}`, perMinute: 10, inFlight: 1 }
    const now = Math.floor(Date.now() / 1000)
    const counts = { [now - 70]: 3, [now - 10]: 2, from: now - 70, total: 5 }
    await redis.connection('limits').hset(`rate:${budget.key}`, counts)
    const looks = [await standingOf(budget), await standingOf(budget)]
    const nothing = { used: 2, inFlight: 0 }
    assert.deepEqual(looks, [nothing, nothing])
    const { remaining } = await enter(budget)
    assert.equal(remaining, 7)
    const refused = await enter(budget)
    assert.deepEqual([refused.refusedBy, refused.remaining], ['concurrency', 7])
    assert.deepEqual(await standingOf(budget), { used: 3, inFlight: 1 })
  })

  test('requests of a later second leave the oldest counted second the first to go', async ({
    assert,
  }) => {
    const budget = { key: `test:${randomUUID()}`, perMinute: 10 }
    const oldest = Math.floor(Date.now() / 1000) - 30
    const counts = { [oldest]: 3, from: oldest, total: 3 }
    await redis.connection('limits').hset(`rate:${budget.key}`, counts)
    const answers = [await enter(budget), await enter(budget)]
    assert.deepEqual(
      answers.map(({ remaining, resetAt }) => [remaining, resetAt]),
      [
        [6, oldest + 61],
        [5, oldest + 61],
      ]
    )
  })

  test('a refusal uses nothing of the limit, and neither does a look-up', async ({ assert }) => {
    const both = new Both({ perMinute: 2, inFlight: 1 })
    const first = await both.enter()
    const [refused, look] = [await both.enter(), await both.enter(0)]
    await both.leave(first)
    const next = await both.enter()

    for (const who of ['shared', 'own'] as const) {
      const seen = [first, refused, look, next].map((one) => summaryOf(one[who]))
      assert.deepEqual(seen, ['null 1', 'concurrency 1', 'concurrency 1', 'null 0'], who)
    }
  })

  test('any history of entering and leaving has the same answers in both', async () => {
    const limits = fc.record({
      perMinute: fc.integer({ min: 1, max: 6 }),
      inFlight: fc.nat({ max: 3 }),
    })
    const acts = fc.array(fc.constantFrom('enter', 'enter', 'leave', 'look'), { maxLength: 14 })
    await fc.assert(
      fc.asyncProperty(limits, acts, async (budget, history) => {
        const both = new Both(budget)
        const inside: Awaited<ReturnType<Both['enter']>>[] = []
        for (const act of history) {
          if (act === 'leave') {
            const first = inside.shift()
            if (first) await both.leave(first)
            continue
          }
          const answer = await both.enter(act === 'look' ? 0 : 1)
          if (summaryOf(answer.shared) !== summaryOf(answer.own)) return false
          if (act === 'enter' && answer.shared.refusedBy === null) inside.push(answer)
        }
        return true
      }),
      { numRuns: 60 }
    )
  })

  test('the reset is when the oldest request leaves the window, in Unix seconds', async ({
    assert,
  }) => {
    const now = Math.floor(Date.now() / 1000)
    const budget = { key: `test:${randomUUID()}`, perMinute: 1 }
    const first = await enter(budget)
    const refused = await enter(budget)
    const [, , ownReset] = new MemoryLimiter().admit(budget, randomUUID(), 1)

    const later = Math.floor(Date.now() / 1000)
    for (const resetAt of [first.resetAt, ownReset]) {
      assert.isAtLeast(resetAt, now + 61)
      assert.isAtMost(resetAt, later + 61)
    }
    assert.equal(refused.resetAt, first.resetAt)
    assert.isAtLeast(refused.retryAfterSeconds, 60)
    assert.isAtMost(refused.retryAfterSeconds, 61)
  })

  test('a request of 60 seconds ago still counts, one of 61 does not', async ({ assert }) => {
    const budget = { key: `test:${randomUUID()}`, perMinute: 10 }
    const limits = redis.connection('limits')
    const secondNow = async () => {
      const [second] = await limits.time()
      return Number(second)
    }
    const usedAfter = async (age: number) => {
      for (;;) {
        const second = await secondNow()
        const at = second - age
        await limits.del(`rate:${budget.key}`)
        await limits.hset(`rate:${budget.key}`, { [at]: 3, from: at, total: 3 })
        const { used } = await standingOf(budget)
        // Only an answer of the same second says how old the request was.
        if ((await secondNow()) === second) return used
      }
    }
    assert.deepEqual([await usedAfter(60), await usedAfter(61)], [3, 0])
  })

  test('the same holds in the process', ({ assert }) => {
    const limiter = new MemoryLimiter()
    const budget = { key: 'a', perMinute: 1 }
    const clock = Date.now
    const start = 1_800_000_000_000
    const admitAfter = (ms: number) => {
      Date.now = () => start + ms
      return REFUSED_BY[limiter.admit(budget, randomUUID(), 1)[0]]
    }
    try {
      const answers = [0, 60_999, 61_000].map(admitAfter)
      assert.deepEqual(answers, [null, 'rate', null])
    } finally {
      Date.now = clock
    }
  })

  test('slots whose lease is over are freed in Redis, however many requests come', async ({
    assert,
  }) => {
    const budget = { key: `test:${randomUUID()}`, perMinute: 10, inFlight: 2 }
    const limits = redis.connection('limits')
    // Two requests of a process that died; the key itself lives on, as it does while others come.
    await limits.zadd(`flight:${budget.key}`, Date.now() - 1, 'dead', Date.now() + 20_000, 'alive')
    const [first, second] = [await enter(budget), await enter(budget)]
    assert.deepEqual([first.refusedBy, second.refusedBy], [null, 'concurrency'])
  })

  test('a slot in Redis is leased for half a minute, and a count is kept for the window', async ({
    assert,
  }) => {
    const budget = { key: `test:${randomUUID()}`, perMinute: 10, inFlight: 2 }
    const limits = redis.connection('limits')
    const { slot } = await enter(budget)
    const [score, leftMs, countedFor] = [
      await limits.zscore(`flight:${budget.key}`, slot),
      await limits.pttl(`flight:${budget.key}`),
      await limits.ttl(`rate:${budget.key}`),
    ]
    assert.closeTo(Number(score), Date.now() + 30_000, 2_000)
    assert.closeTo(leftMs, 30_000, 2_000)
    assert.closeTo(countedFor, 62, 2)
  })

  test('slots whose lease is over are not shown in flight', async ({ assert }) => {
    const budget = { key: `test:${randomUUID()}`, perMinute: 10, inFlight: 5 }
    const limits = redis.connection('limits')
    await limits.zadd(`flight:${budget.key}`, Date.now() - 1, 'dead', Date.now() + 20_000, 'alive')
    const { inFlight } = await standingOf(budget)
    assert.equal(inFlight, 1)
  })

  test('slots that are given back together are all free', async ({ assert }) => {
    const budget = { key: `test:${randomUUID()}`, perMinute: 10, inFlight: 2 }
    const [first, second] = [await enter(budget), await enter(budget)]
    leave(budget, first.slot)
    leave(budget, second.slot)
    await new Promise(setImmediate)
    await redis.connection('limits').ioConnection.ping()
    const { inFlight } = await standingOf(budget)
    assert.equal(inFlight, 0)
  })

  test('a process that loses Redis goes on from what Redis has counted', async ({ assert }) => {
    const budget = { key: `test:${randomUUID()}`, perMinute: 5 }
    for (let i = 0; i < 3; i++) await enter(budget)
    await redis.connection('limits').ioConnection.call('CLIENT', 'PAUSE', '400')
    const { remaining } = await enter(budget)
    await redis.connection('limits').ioConnection.ping()
    assert.equal(remaining, 1)
  })

  test('a counted request is a recent one', async ({ assert }) => {
    await redis.connection('limits').del('asked')
    const budget = { key: `test:${randomUUID()}`, perMinute: 5 }
    await enter(budget, 0)
    assert.isFalse(await hasRecentRequests())
    await enter(budget)
    assert.isTrue(await hasRecentRequests())
  })

  test('no 60 seconds contain more than the limit, and afterwards there is room again', ({
    assert,
  }) => {
    const limiter = new MemoryLimiter()
    const budget = { key: 'a', perMinute: 10 }
    const clock = Date.now
    const passed: number[] = []
    try {
      for (let ms = 1_800_000_000_000; passed.length < 40; ms += 700) {
        Date.now = () => ms
        if (limiter.admit(budget, randomUUID(), 1)[0] === 0) passed.push(ms)
      }
    } finally {
      Date.now = clock
    }
    for (const [index, at] of passed.entries()) {
      const within = passed.slice(index).filter((other) => other < at + 60_000)
      assert.isAtMost(within.length, 10)
    }
    assert.isBelow(passed.at(-1)! - passed[0], 4 * 62_000)
  })

  test('a process continues from where Redis stopped until that leaves the window', ({
    assert,
  }) => {
    const limiter = new MemoryLimiter()
    const budget = { key: 'a', perMinute: 5, inFlight: 2 }
    const now = Math.floor(Date.now() / 1000)
    limiter.syncFromRedis(budget, 'x', { used: 3, resetAt: now + 30 })
    const [code, remaining, resetAt] = limiter.admit(budget, 'y', 1)
    assert.deepEqual([code, remaining, resetAt], [0, 1, now + 30])
    assert.equal(limiter.admit(budget, 'z', 1)[0], 2)
    limiter.leave(budget, 'x')
    assert.equal(limiter.admit(budget, 'z', 1)[0], 0)
    limiter.leave(budget, 'y')
    assert.equal(limiter.admit(budget, 'w', 1)[0], 1)
    // What passed meanwhile Redis has counted as well.
    limiter.syncFromRedis(budget, null, { used: 4, resetAt: now + 30 })
    assert.equal(limiter.admit(budget, 'w', 0)[1], 1)
    const other = { key: 'b', perMinute: 1 }
    limiter.syncFromRedis(other, null, { used: 1, resetAt: now - 1 })
    assert.equal(limiter.admit(other, 'v', 1)[0], 0)
  })

  test('a slot of a dead process is freed after its lease', ({ assert }) => {
    const limiter = new MemoryLimiter()
    const budget = { key: 'a', perMinute: 100, inFlight: 1 }
    const clock = Date.now
    const start = clock()
    try {
      assert.equal(limiter.admit(budget, 'x', 1)[0], 0)
      Date.now = () => start + 29_000
      assert.equal(limiter.admit(budget, 'y', 1)[0], 2)
      Date.now = () => start + 30_001
      assert.equal(limiter.admit(budget, 'z', 1)[0], 0)
    } finally {
      Date.now = clock
    }
  })
})

test.group('Limits in the process', () => {
  test('ten thousand new budgets do not evict one in use', ({ assert }) => {
    const memory = new MemoryLimiter()
    const inUse = { key: 'partner:1', perMinute: 10, inFlight: 2 }
    memory.admit(inUse, 'first', 1)
    for (let i = 0; i < 20_000; i++) {
      memory.admit({ key: `address:${i}`, perMinute: 10 }, String(i), 1)
      if (i % 5_000 === 0) memory.admit(inUse, 'look', 0)
    }
    const [, remaining] = memory.admit(inUse, 'look', 0)
    assert.equal(remaining, 9)
  })
})
