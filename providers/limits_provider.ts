import type { ApplicationService } from '@adonisjs/core/types'
import { setTimeout as delay } from 'node:timers/promises'

const WAIT_MS = 1_000
const CACHE_KEYS_MS = 30_000

/** Connects to Redis before the first request, so that even this one is counted there and not only in the process. */
export default class LimitsProvider {
  constructor(protected app: ApplicationService) {}

  async start() {
    if (this.app.getEnvironment() !== 'web' || this.app.getMode() !== 'run') return
    await this.#cacheKeys()
    const { connectLimits } = await import('#shared/rate_limit')
    await Promise.race([connectLimits(), delay(WAIT_MS, undefined, { ref: false })])
  }

  /** Refreshes the cache of keys at intervals, so that new keys work even from an address that has spent its failure limit. */
  async #cacheKeys() {
    const { cacheLiveKeys } = await import('#partners/queries/find_partner_key')
    const { cacheGateKeys } = await import('#tickets/queries/find_gate_device')
    // Without PostgreSQL keys are cached as they are used.
    const cache = () => Promise.all([cacheLiveKeys(), cacheGateKeys()]).catch(() => {})
    await cache()
    const timer = setInterval(cache, CACHE_KEYS_MS)
    timer.unref()
    this.app.terminating(() => clearInterval(timer))
  }

  /** Runs before the Redis provider, whose QUIT on a lost connection would fail the shutdown of all other providers. */
  async shutdown() {
    const { default: redis } = await import('@adonisjs/redis/services/main')
    for (const [name, connection] of Object.entries(redis.activeConnections)) {
      if (connection!.ioConnection.status === 'ready') continue
      connection!.ioConnection.disconnect()
      delete redis.activeConnections[name as keyof typeof redis.activeConnections]
    }
  }
}
