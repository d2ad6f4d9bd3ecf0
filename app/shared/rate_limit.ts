import { BUCKETS, LEASE_MS, type Budget } from '#shared/budget'
import { MemoryLimiter } from '#shared/memory_limiter'
import logger from '@adonisjs/core/services/logger'
import redis from '@adonisjs/redis/services/main'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'

export interface Admission {
  refusedBy: 'rate' | 'concurrency' | null
  limit: number
  remaining: number
  /** Unix seconds when the oldest counted request leaves the window. */
  resetAt: number
  retryAfterSeconds: number
  /** Names the slot in flight that `leave` gives back. */
  slot: string
}

/** After a request, background work is throttled for this time. */
const ASKED_MS = 2_000
const ASKED = 'asked'

// KEYS rate, in flight, asked · ARGV limit, in flight limit, lease ms, slot, cost (0 only looks)
const ADMIT = `
local t = redis.call('TIME')
local sec = tonumber(t[1])
local now = sec * 1000 + math.floor(tonumber(t[2]) / 1000)
local limit, cap, lease, cost = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[5])
local h = redis.call('HMGET', KEYS[1], 'from', 'total')
local from, total = tonumber(h[1]) or sec, tonumber(h[2]) or 0
local gone = sec - ${BUCKETS}
local pruned = false
while from <= gone or (from < sec and total > 0 and redis.call('HEXISTS', KEYS[1], from) == 0) do
  local c = redis.call('HGET', KEYS[1], from)
  if c then
    total = total - tonumber(c)
    redis.call('HDEL', KEYS[1], from)
    pruned = true
  end
  from = from + 1
end
if total <= 0 then from = sec end
if pruned then redis.call('HSET', KEYS[1], 'from', from, 'total', total) end
local reset = from + ${BUCKETS}
if total >= limit then return {1, 0, reset, math.max(1, reset - sec)} end
if cap > 0 then
  redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now)
  if redis.call('ZCARD', KEYS[2]) >= cap then return {2, limit - total, reset, 1} end
end
if cost > 0 then
  redis.call('SET', KEYS[3], 1, 'PX', ${ASKED_MS})
  redis.call('HINCRBY', KEYS[1], sec, cost)
  redis.call('HSET', KEYS[1], 'from', from, 'total', total + cost)
  redis.call('EXPIRE', KEYS[1], ${BUCKETS + 1})
  if cap > 0 then
    redis.call('ZADD', KEYS[2], now + lease, ARGV[4])
    redis.call('PEXPIRE', KEYS[2], lease)
  end
end
return {0, limit - total - cost, reset, 0}
`

type Reply = [code: number, remaining: number, resetAt: number, retryAfter: number]
type Admitting = { admit(...values: (string | number)[]): Promise<Reply> }

const REFUSED_BY = [null, 'rate', 'concurrency'] as const
const PATIENCE_MS = 100
const inMemory = new MemoryLimiter()
let isRedisLost = false

function connection() {
  const client = redis.connection('limits').ioConnection
  if (!('admit' in client)) client.defineCommand('admit', { numberOfKeys: 3, lua: ADMIT })
  return client as typeof client & Admitting
}

const keysOf = ({ key }: Budget) => [`rate:${key}`, `flight:${key}`] as const

/**
 * Counts a request against a budget, in one round trip to Redis; `cost` 0 only looks.
 * Without Redis the request goes on under the same limits of this process: sales never depend on Redis.
 */
export async function enter(budget: Budget, cost: 0 | 1 = 1): Promise<Admission> {
  const slot = randomUUID()
  const { perMinute: limit, inFlight = 0 } = budget
  try {
    const values = [limit, inFlight, LEASE_MS, slot, cost]
    const reply = await awaitReply(connection().admit(...keysOf(budget), ASKED, ...values))
    noteRedis(false)
    const [code, remaining, resetAt] = reply
    const holdsSlot = code === 0 && cost > 0 && inFlight > 0
    inMemory.syncFromRedis(budget, holdsSlot ? slot : null, { used: limit - remaining, resetAt })
    return admission(reply, limit, slot)
  } catch (error) {
    noteRedis(true, error)
    return admission(inMemory.admit(budget, slot, cost), limit, slot)
  }
}

/**
 * Gives Redis its time and then one turn of the event loop more, in which an answer that already
 * lies there is read: a busy process must not mistake its own delay for that of Redis.
 */
function awaitReply<Value>(reply: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    const giveUp = () => setImmediate(() => reject(new Error('Redis took too long')))
    const timer = setTimeout(giveUp, PATIENCE_MS)
    reply.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

/** One line when Redis is lost and one when it is back, not one a request. */
function noteRedis(isLost: boolean, error?: unknown) {
  if (isLost === isRedisLost) return
  isRedisLost = isLost
  if (isLost) logger.warn({ err: error }, 'Redis does not answer; limits are kept in this process')
  else logger.info('Redis answers again; limits are shared')
}

/** How much of a budget is in use now, for whoever looks; `inFlight` is null while Redis doesn't answer. */
export async function standingOf(
  budget: Budget
): Promise<{ used: number; inFlight: number | null }> {
  const [, flight] = keysOf(budget)
  const [{ limit, remaining }, inFlight] = await Promise.all([
    enter({ ...budget, inFlight: 0 }, 0),
    connection()
      .zcount(flight, Date.now(), '+inf')
      .catch(() => null),
  ])
  return { used: limit - remaining, inFlight }
}

/** Whether a request was counted in the last seconds; no, as long as Redis does not answer. */
export const hasRecentRequests = (): Promise<boolean> =>
  awaitReply(connection().exists(ASKED)).then(
    (count) => count > 0,
    () => false
  )

/** Resolves once Redis answers, or turns out not to. */
export async function connectLimits(): Promise<void> {
  const client = connection()
  if (client.status !== 'ready') await once(client, 'ready').catch(() => {})
}

function admission(
  [code, remaining, resetAt, retryAfter]: Reply,
  limit: number,
  slot: string
): Admission {
  const refusedBy = REFUSED_BY[code]
  const left = Math.max(0, remaining)
  return { refusedBy, limit, remaining: left, resetAt, retryAfterSeconds: retryAfter, slot }
}

const leaving = new Map<string, string[]>()

/**
 * Gives the slot in flight back; a lost message is made good by the lease.
 * Those who leave in the same turn of the event loop go with one command.
 */
export function leave(budget: Budget, slot: string): void {
  inMemory.leave(budget, slot)
  const [, key] = keysOf(budget)
  const together = leaving.get(key)
  if (together) {
    together.push(slot)
    return
  }
  leaving.set(key, [slot])
  setImmediate(() => {
    const slots = leaving.get(key)!
    leaving.delete(key)
    connection()
      .zrem(key, ...slots)
      .catch(() => {})
  })
}
