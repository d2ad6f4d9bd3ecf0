import { FreshRead } from '#shared/fresh_read'
import { logRepeated } from '#shared/repeated_log'
import { statement } from '#shared/statement'
import app from '@adonisjs/core/services/app'
import logger from '@adonisjs/core/services/logger'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { readdirSync } from 'node:fs'

/** What keeps a database from being used by this release; `/health/ready` names it. */
export type DatabaseProblem =
  | 'schema_behind'
  | 'schema_differs'
  | 'wrong_encoding'
  | 'synchronous_commit_off'
  | 'clock_differs'
  | 'standby'

/** What should be changed though sales go on; `/health/ready` names it and stays ready. */
export type DatabaseWarning = 'application_owns_tables'

export interface DatabaseFitness {
  problems: DatabaseProblem[]
  warnings: DatabaseWarning[]
}

const selectState = statement<{
  migrations: string[]
  encoding: string
  synchronous_commit: string
  owns_tables: boolean
  now_ms: number
  is_standby: boolean
}>(
  'database_fitness',
  `SELECT (SELECT array_agg(name) FROM adonis_schema) AS migrations,
          current_setting('server_encoding') AS encoding,
          current_setting('synchronous_commit') AS synchronous_commit,
          EXISTS (SELECT FROM pg_class WHERE oid = to_regclass('journal') AND pg_has_role(relowner, 'USAGE')) AS owns_tables,
          (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now_ms,
          pg_is_in_recovery() AS is_standby`
)

const selectStandby = statement<{ is_standby: boolean }>(
  'database_standby',
  'SELECT pg_is_in_recovery() AS is_standby'
)

/** Whether PostgreSQL takes no writes; throws when it doesn't answer. */
export const isStandby = (client?: QueryClientContract) =>
  selectStandby.one({}, client).then(({ is_standby: answer }) => answer)

/** Before the first migration. */
const UNDEFINED_TABLE = '42P01'

const reads = new FreshRead<DatabaseFitness>()

/** Without problems the database is fit; throws when PostgreSQL doesn't answer. */
export const readDatabaseFitness = () => reads.read('', readFitness)

async function readFitness(): Promise<DatabaseFitness> {
  const askedAt = Date.now()
  const state = await selectState.one({}).catch((error: { code?: string }) => {
    if (error.code === UNDEFINED_TABLE) return null
    throw error
  })
  if (state === null) return { problems: ['schema_behind'], warnings: [] }
  const skewMs = clockSkew(state.now_ms, askedAt, Date.now())
  if (Math.abs(skewMs) > MAX_CLOCK_SKEW_MS)
    logRepeated(logger, 'error', 'clock differs', new ClockDiffers(skewMs))
  const found = [
    schemaProblem(ourMigrations(), state.migrations.map(nameOf)),
    state.encoding !== 'UTF8' && 'wrong_encoding',
    // A crash of PostgreSQL would lose sales that were answered.
    state.synchronous_commit === 'off' && 'synchronous_commit_off',
    Math.abs(skewMs) > MAX_CLOCK_SKEW_MS && 'clock_differs',
    // It was the primary, or the proxy in front of it is wrong.
    state.is_standby && 'standby',
  ] as const
  return {
    problems: found.filter((problem) => problem !== null && problem !== false),
    // It could drop what protects the journal and money.
    warnings: state.owns_tables ? ['application_owns_tables'] : [],
  }
}

/** Partners' timestamps may differ from our clock by five minutes; this much of them may be our own fault. */
const MAX_CLOCK_SKEW_MS = 60_000

/**
 * How far the clock of this machine is ahead of PostgreSQL's, in ms; 0 when its answer fits between question and answer.
 *
 *     asked at 10:00:00, answered at 10:00:05   PostgreSQL says 10:00:02      0
 *     asked at 10:10:00, answered at 10:10:01   PostgreSQL says 10:00:00      600,000
 *     asked at 10:00:00, answered at 10:00:01   PostgreSQL says 10:00:31      -30,000
 */
export function clockSkew(databaseMs: number, askedAtMs: number, answeredAtMs: number): number {
  if (databaseMs < askedAtMs) return askedAtMs - databaseMs
  return databaseMs > answeredAtMs ? answeredAtMs - databaseMs : 0
}

class ClockDiffers extends Error {
  constructor(skewMs: number) {
    const seconds = Math.round(Math.abs(skewMs) / 1_000)
    const direction = skewMs > 0 ? 'ahead of' : 'behind'
    super(
      `The clock of this machine is ${seconds} s ${direction} PostgreSQL's: signed requests are refused, correct the clock`
    )
  }
}

/**
 * A release also runs on the schema of the next one, so that it can go on selling while that is rolled out: migrations with
 * higher numbers than ours are no problem.
 *
 *     code 1, 2, 3   database 1, 2         schema_behind: run the migrations
 *     code 1, 2, 3   database 1, 2, 3, 4   fit
 *     code 1, 2, 3   database 1, 2b, 3     schema_differs: another product, or a migration that was renamed
 */
export function schemaProblem(
  ours: readonly string[],
  applied: readonly string[]
): 'schema_behind' | 'schema_differs' | null {
  const highest = Math.max(...ours.map(numberOf))
  const isForeign = (name: string) => numberOf(name) <= highest && !ours.includes(name)
  if (applied.some(isForeign)) return 'schema_differs'
  return ours.every((name) => applied.includes(name)) ? null : 'schema_behind'
}

const numberOf = (name: string) => Number.parseInt(name)

/** `database/migrations/4_create_sales`, as PostgreSQL has it, is `4_create_sales`. */
const nameOf = (stored: string) => stored.split('/').at(-1)!

let migrations: string[] | undefined

/** The files of this release; a build has `.js` and perhaps `.d.ts`. */
const ourMigrations = () =>
  (migrations ??= readdirSync(app.makePath('database/migrations'))
    .filter((file) => /^\d+_\w+\.(ts|js)$/.test(file))
    .map((file) => file.replace(/\.(ts|js)$/, '')))
