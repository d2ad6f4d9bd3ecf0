import type { RedisService } from '@adonisjs/redis/types'
import type { Logger } from '@adonisjs/core/logger'

/** Errors of a connection that is lost or can't be made; they come with every attempt to connect again. */
const LOST =
  /ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENOTFOUND|EAI_AGAIN|Connection is closed|Socket timeout/

export const isLostConnection = ({ message, code }: NodeJS.ErrnoException) =>
  LOST.test(`${code} ${message}`)

/** Logs once that Redis is away, and once that it answers again, whichever of our connections notices. */
export function logRedisOutages(redis: RedisService, logger: Logger, isEnding: () => boolean) {
  // The package would log every attempt of every connection to connect again.
  redis.doNotLogErrors()
  const lost = new Set<string>()
  redis.on('connection', ({ connectionName: name, ioConnection }) => {
    let failure: string | undefined
    ioConnection.on('error', ({ message }: Error) => {
      failure = message
      if (!LOST.test(message)) logger.error({ connection: name }, `Redis: ${message}`)
    })
    ioConnection.on('close', () => {
      if (isEnding()) return
      if (lost.size === 0) logger.error({ reason: failure }, 'Redis is away')
      lost.add(name)
    })
    ioConnection.on('ready', () => {
      if (lost.delete(name) && lost.size === 0) logger.info('Redis answers again')
    })
  })
}
