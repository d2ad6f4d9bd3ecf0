import { BUCKETS, LEASE_MS, type Budget } from '#shared/budget'
import { sumNumbers } from '#shared/sums'
import { LRUCache } from 'lru-cache'

/** The last answer of Redis: how much of a budget was in use, and until when that may count. */
interface RedisUsage {
  used: number
  resetAt: number
}

interface Count {
  /** What passed since then. */
  bySecond: Map<number, number>
  /** Requests in flight of this process: slot → when its lease ends. */
  slots: Map<string, number>
  known: RedisUsage | null
}

/** The budgets that were asked for longest ago are forgotten first. */
const MAX_BUDGETS = 10_000

/** The limits of one process, for as long as Redis does not answer: from where it stopped, same window, same headers. */
export class MemoryLimiter {
  #counts = new LRUCache<string, Count>({ max: MAX_BUDGETS })

  /** Takes over what Redis has answered; `slot` is null for a request that holds none. */
  syncFromRedis({ key }: Budget, slot: string | null, known: RedisUsage) {
    const count = this.#countOf(key)
    count.known = known
    count.bySecond.clear()
    if (slot !== null) count.slots.set(slot, Date.now() + LEASE_MS)
  }

  admit(
    { key, perMinute, inFlight = 0 }: Budget,
    slot: string,
    cost: number
  ): [number, number, number, number] {
    const now = Date.now()
    const second = Math.floor(now / 1000)
    const count = this.#countOf(key)
    const { bySecond, slots } = count
    const known = count.known && count.known.resetAt > second ? count.known : null
    for (const old of bySecond.keys()) if (old <= second - BUCKETS) bySecond.delete(old)
    for (const [id, until] of slots) if (until <= now) slots.delete(id)

    const used = (known?.used ?? 0) + sumNumbers(bySecond.values(), (passed) => passed)
    const reset = known?.resetAt ?? (bySecond.keys().next().value ?? second) + BUCKETS
    if (used >= perMinute) return [1, 0, reset, Math.max(1, reset - second)]
    if (inFlight > 0 && slots.size >= inFlight) return [2, perMinute - used, reset, 1]
    if (cost > 0) bySecond.set(second, (bySecond.get(second) ?? 0) + cost)
    if (cost > 0 && inFlight > 0) slots.set(slot, now + LEASE_MS)
    return [0, perMinute - used - cost, reset, 0]
  }

  leave({ key }: Budget, slot: string) {
    this.#counts.get(key)?.slots.delete(slot)
  }

  #countOf(key: string): Count {
    const kept = this.#counts.get(key)
    if (kept) return kept
    const count: Count = { bySecond: new Map(), slots: new Map(), known: null }
    this.#counts.set(key, count)
    return count
  }
}
