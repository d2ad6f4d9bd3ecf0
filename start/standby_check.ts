import { STANDBY } from '#invariants/read_snapshot'
import { runsOwnerCommand } from '#console/owner_commands'
import { isStandby } from '#shared/database_fitness'
import { readRole } from '#shared/database_role'
import { signInProblem, type PostgresError } from '#start/database_checks'
import type { StartProblem } from '#start/checks'
import logger from '@adonisjs/core/services/logger'
import db from '@adonisjs/lucid/services/db'

const setting = 'STANDBY_DATABASE_URL'

/**
 * What is wrong with the role of STANDBY_DATABASE_URL. A standby that is away, or has become the primary, is only warned of: after
 * a failover both happen, and a process must still start then.
 */
export async function findStandbyProblem(): Promise<StartProblem | undefined> {
  // Before the owner's migrations the role has not got its rights.
  if (!db.manager.has(STANDBY) || runsOwnerCommand()) return undefined
  const standby = db.connection(STANDBY)
  try {
    if (!(await isStandby(standby)))
      logger.warn({ setting }, `${setting} leads to a primary, which then has the load of checks`)
    const { role, missing } = await readRole(standby)
    const unreadable = missing.filter((right) => right.startsWith('SELECT'))
    if (unreadable.length === 0) return undefined
    return {
      setting,
      message: `${setting}: the role ${role} can't read what invariants check (${unreadable.slice(0, 3).join(', ')}): name that of DATABASE_URL`,
    }
  } catch (error) {
    const problem = signInProblem(setting, error as PostgresError)
    if (!problem)
      logger.warn({ setting, err: error as Error }, `${setting}: the standby does not answer`)
    return problem
  }
}
