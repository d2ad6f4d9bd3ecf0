import { withReserve } from '#shared/connection_places'
import { readDatabaseFitness } from '#shared/database_fitness'
import { readNotes } from '#http/health/health_notes'
import app from '@adonisjs/core/services/app'
import type { HttpContext } from '@adonisjs/core/http'
import redis from '@adonisjs/redis/services/main'

/** With the reserve, because a process that can still confirm must stay behind its load balancer. */
const readFitness = () => withReserve(readDatabaseFitness)

/** For load balancers and supervisors: `live` means that the process runs, `ready` that it can serve requests. */
export default class HealthController {
  live({ response }: HttpContext) {
    return response.json({ status: 'live' })
  }

  /**
   * Without Redis, limits fall back to this process, so its loss doesn't make us unready. A database of another schema, encoding
   * or durability does, and is named. Whose role owns the tables is warned: it serves, but one role must not do both.
   */
  async ready({ response }: HttpContext) {
    const [fitness, limits] = await Promise.all([
      readFitness().catch(() => null),
      answers(() => redis.connection('limits').ioConnection.ping()),
    ])
    const isReady = fitness?.problems.length === 0 && !app.isTerminating
    response.status(isReady ? 200 : 503)
    return response.json({
      status: isReady ? 'ready' : 'unavailable',
      postgres: fitness !== null,
      redis: limits,
      problems: listed(fitness?.problems),
      warnings: listed(fitness?.warnings),
      ...(await readNotes()),
    })
  }
}

const listed = (names?: string[]) => (names?.length ? names : undefined)

const answers = (ask: () => Promise<unknown>) =>
  ask().then(
    () => true,
    () => false
  )
