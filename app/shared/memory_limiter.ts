import { BUCKETS, LEASE_MS, type Budget } from '#shared/budget'

interface Count {
  bySecond: Map<number, number>
  slots: Map<string, number>
}

const MAX_BUDGETS = 10_000

/** The limits of one process, for as long as Redis does not answer; same window, same headers. */
export class MemoryLimiter {
  #counts = new Map<string, Count>()

  admit(
    { key, perMinute, inFlight = 0 }: Budget,
    slot: string,
    cost: number
  ): [number, number, number, number] {
    const now = Date.now()
    const second = Math.floor(now / 1000)
    const { bySecond, slots } = this.#countOf(key)
    for (const old of bySecond.keys()) if (old <= second - BUCKETS) bySecond.delete(old)
    for (const [id, until] of slots) if (until <= now) slots.delete(id)

    const used = bySecond.values().reduce((sum, count) => sum + count, 0)
    const reset = (bySecond.keys().next().value ?? second) + BUCKETS
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
    if (this.#counts.size >= MAX_BUDGETS) this.#counts.clear()
    const known = this.#counts.get(key) ?? { bySecond: new Map(), slots: new Map() }
    this.#counts.set(key, known)
    return known
  }
}
