import { defineConfig } from '@adonisjs/redis'
import type { InferConnections } from '@adonisjs/redis/types'
import env from '#start/env'

const url = new URL(env.get('REDIS_URL'))
const server = {
  host: url.hostname,
  port: Number(url.port || 6379),
  username: decodeURIComponent(url.username) || undefined,
  password: decodeURIComponent(url.password) || undefined,
  db: Number(url.pathname.slice(1) || 0),
  tls: url.protocol === 'rediss:' ? {} : undefined,
  retryStrategy: (times: number) => Math.min(200 * times, 2000),
}

const redisConfig = defineConfig({
  connection: 'limits',
  connections: {
    /** Asked on every partner request: it answers at once or the request goes on without it. */
    limits: {
      ...server,
      keyPrefix: 'limits:',
      socketTimeout: 5_000,
      enableAutoPipelining: true,
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
    },
    /** The back office waits a moment rather than sign everybody out. */
    sessions: {
      ...server,
      keyPrefix: 'sessions:',
      commandTimeout: 2000,
      enableOfflineQueue: true,
      maxRetriesPerRequest: 1,
    },
    /** Looks into the queues, for staff and for metrics; without Redis it says so soon. */
    jobs: {
      ...server,
      commandTimeout: 1000,
      enableOfflineQueue: true,
      maxRetriesPerRequest: 1,
    },
    /** BullMQ blocks on this one, so no limit of its own. */
    queue: { ...server, maxRetriesPerRequest: null },
  },
})

export default redisConfig

declare module '@adonisjs/redis/types' {
  export interface RedisConnections extends InferConnections<typeof redisConfig> {}
}
