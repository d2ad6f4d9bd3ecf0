import { defineConfig, stores } from '@adonisjs/limiter'
import type { InferLimiters } from '@adonisjs/limiter/types'
import env from '#start/env'

/** Limits sign-ins. Requests of partners are limited by `#shared/rate_limit`. */
const limiterConfig = defineConfig({
  default: env.get('SESSION_DRIVER') ?? 'redis',
  stores: {
    redis: stores.redis({ connectionName: 'sessions' }),
    memory: stores.memory({}),
  },
})

export default limiterConfig

declare module '@adonisjs/limiter/types' {
  export interface LimitersList extends InferLimiters<typeof limiterConfig> {}
}
