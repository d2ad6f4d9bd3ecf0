import type { ApplicationService } from '@adonisjs/core/types'
import { setTimeout as delay } from 'node:timers/promises'

const WAIT_MS = 1_000
const CACHE_KEYS_MS = 30_000

/** Connects to Redis before the first request, so that not even that one is counted in the process alone. */
export default class LimitsProvider {
  constructor(protected app: ApplicationService) {}

  async start() {
    if (this.app.getEnvironment() !== 'web' || this.app.getMode() !== 'run') return
    await this.#cacheKeys()
    const { connectLimits } = await import('#shared/rate_limit')
    await Promise.race([connectLimits(), delay(WAIT_MS, undefined, { ref: false })])
  }

  /** Keys that were issued meanwhile are read now and then, whatever strangers do at their address. */
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

  /** Runs before Redis's own provider, whose QUIT a lost Redis would turn into a failed shutdown of all the others. */
  async shutdown() {
    const { default: redis } = await import('@adonisjs/redis/services/main')
    for (const [name, connection] of Object.entries(redis.activeConnections)) {
      if (connection!.ioConnection.status === 'ready') continue
      connection!.ioConnection.disconnect()
      delete redis.activeConnections[name as keyof typeof redis.activeConnections]
    }
  }
}
