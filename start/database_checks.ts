import { opensStoredData } from '#partners/app_key_check'
import { readRole } from '#shared/database_role'
import { isRefusedCertificate } from '#start/certificate_errors'
import { StartRefused, type StartProblem } from '#start/checks'
import logger from '@adonisjs/core/services/logger'
import { setTimeout as delay } from 'node:timers/promises'

const RETRY_MS = 2_000
/** A process starts without an answer of PostgreSQL after this time; the checks then end it later. */
const WAIT_MS = 3_000

/**
 * Calls `refuse` when the role of DATABASE_URL can't be used, or APP_KEY can't open what is stored: at once if PostgreSQL answers,
 * else as soon as it does.
 */
export async function refuseUnfitDatabase(refuse: (error: Error) => void): Promise<void> {
  const isDecided = await Promise.race([decide(refuse), delay(WAIT_MS, false, { ref: false })])
  if (!isDecided) setTimeout(() => refuseUnfitDatabase(refuse), RETRY_MS).unref()
}

async function decide(refuse: (error: Error) => void): Promise<boolean> {
  try {
    const problem = (await roleProblem()) ?? ((await opensStoredData()) ? undefined : OTHER_APP_KEY)
    if (problem) refuse(new StartRefused([problem]))
    return true
  } catch (error) {
    const problem = signInProblem('DATABASE_URL', error as PostgresError)
    if (problem) refuse(new StartRefused([problem]))
    // Otherwise PostgreSQL is away or not migrated yet, which /health/ready reports.
    return problem !== undefined
  }
}

const OTHER_APP_KEY = {
  setting: 'APP_KEY',
  message:
    'APP_KEY is another one than the data was encrypted with: partners could not be authenticated. Set the former key; it belongs to the backups',
}

/** Deployments of 0.2.0 have one role: they go on, with a warning. */
const OWNS_TABLES =
  'the role of DATABASE_URL (%s) owns the tables and could drop what protects the journal and money: give the application a role of its own (docs/production.md)'

async function roleProblem(): Promise<StartProblem | undefined> {
  const { role, ownsTables, missing } = await readRole()
  if (ownsTables) logger.warn(OWNS_TABLES, role)
  if (missing.length === 0) return undefined
  return {
    setting: 'DATABASE_URL',
    message: `DATABASE_URL: the role ${role} lacks rights (${missing.slice(0, 3).join(', ')}; ${missing.length} in all): migration:run with OWNER_DATABASE_URL gives them`,
  }
}

export interface PostgresError {
  code?: string
  message: string
}

/** Password, role, or database: PostgreSQL has answered, and waiting won't change it. */
const SIGN_IN_REFUSED = ['28P01', '28000', '3D000']

/** `setting` has the address that was refused; undefined when something else is wrong. */
export function signInProblem(
  setting: string,
  { code = '', message }: PostgresError
): StartProblem | undefined {
  if (!SIGN_IN_REFUSED.includes(code) && !isRefusedCertificate(code)) return undefined
  return { setting, message: `${setting}: ${message}` }
}
