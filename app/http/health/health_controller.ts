import { withReserve } from '#shared/connection_places'
import { FreshRead } from '#shared/fresh_read'
import { statement } from '#shared/statement'
import app from '@adonisjs/core/services/app'
import type { HttpContext } from '@adonisjs/core/http'
import redis from '@adonisjs/redis/services/main'

const selectOne = statement('health_ping', 'SELECT 1')
const pings = new FreshRead<unknown>()
/** With the reserve, because a process that can still confirm must stay behind its load balancer; one ping at a time. */
const ping = () => pings.read('', () => withReserve(() => selectOne({})))

/** For load balancers and supervisors: `live` means that the process runs, `ready` that it can serve requests. */
export default class HealthController {
  live({ response }: HttpContext) {
    return response.json({ status: 'live' })
  }

  /** Without Redis, limits fall back to this process, so its loss doesn't make us unready. */
  async ready({ response }: HttpContext) {
    const [postgres, limits] = await Promise.all([
      answers(ping),
      answers(() => redis.connection('limits').ioConnection.ping()),
    ])
    const isReady = postgres && !app.isTerminating
    response.status(isReady ? 200 : 503)
    return response.json({ status: isReady ? 'ready' : 'unavailable', postgres, redis: limits })
  }
}

const answers = (ask: () => Promise<unknown>) =>
  ask().then(
    () => true,
    () => false
  )
