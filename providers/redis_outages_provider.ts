import type { ApplicationService } from '@adonisjs/core/types'

/** Keeps a lost Redis from filling the log. */
export default class RedisOutagesProvider {
  constructor(protected app: ApplicationService) {}

  async boot() {
    const { logRedisOutages } = await import('#shared/redis_outages')
    const redis = await this.app.container.make('redis')
    const logger = await this.app.container.make('logger')
    logRedisOutages(redis, logger, () => this.app.isTerminating)
  }
}
