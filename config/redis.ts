import { defineConfig } from '@adonisjs/redis'
import type { InferConnections } from '@adonisjs/redis/types'
import env from '#start/env'
import { readSentinels } from '#start/setting_rules'

const url = new URL(env.get('REDIS_URL'))
const sentinels = env.get('REDIS_SENTINELS')

/** With Sentinels, they say which server is the primary; the URL has the user, the password and the number of the database. */
const place = sentinels
  ? {
      sentinels: readSentinels(sentinels),
      name: env.get('REDIS_SENTINEL_NAME'),
      sentinelPassword: env.get('REDIS_SENTINEL_PASSWORD'),
      // Of the servers that they name; the Sentinels themselves are asked without TLS.
      enableTLSForSentinelMode: url.protocol === 'rediss:',
      sentinelRetryStrategy: (times: number) => Math.min(200 * times, 2000),
      // The kernel would wait a quarter of an hour for a machine that has vanished. Not `failoverDetector`: its connections stay
      // open after QUIT, and the process would not end.
      connectTimeout: 2_000,
      socketTimeout: 30_000,
    }
  : { host: url.hostname, port: Number(url.port || 6379) }

const server = {
  ...place,
  // A primary that became a replica refuses writes and keeps its connections.
  reconnectOnError: ({ message }: Error) => message.startsWith('READONLY'),
  username: decodeURIComponent(url.username) || undefined,
  password: decodeURIComponent(url.password) || undefined,
  db: Number(url.pathname.slice(1) || 0),
  tls: url.protocol === 'rediss:' ? {} : undefined,
  retryStrategy: (times: number) => Math.min(200 * times, 2000),
}

const redisConfig = defineConfig({
  connection: 'limits',
  connections: {
    /** Used by every partner request, which continues without Redis when it does not answer at once. */
    limits: {
      ...server,
      keyPrefix: 'limits:',
      socketTimeout: 5_000,
      enableAutoPipelining: true,
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
    },
    /** Waits for a reconnection, since the back office would sign everybody out without Redis. */
    sessions: {
      ...server,
      keyPrefix: 'sessions:',
      commandTimeout: 2000,
      enableOfflineQueue: true,
      maxRetriesPerRequest: 1,
    },
    /** Reads the queues for staff and metrics, and fails quickly without Redis. */
    jobs: {
      ...server,
      commandTimeout: 1000,
      enableOfflineQueue: true,
      maxRetriesPerRequest: 1,
    },
    /** BullMQ sends blocking commands on this one, so it has no command timeout. */
    queue: { ...server, maxRetriesPerRequest: null },
  },
})

export default redisConfig

declare module '@adonisjs/redis/types' {
  export interface RedisConnections extends InferConnections<typeof redisConfig> {}
}
