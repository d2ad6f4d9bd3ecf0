import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { ace } from '../application.ts'
import { log } from '../output.ts'
import { root } from '../paths.ts'
import { poll } from '../poll.ts'
import { StartUpError } from '../start_up_error.ts'
import type { Supervisor } from '../supervisor.ts'
import { pathOf, type Mutant } from './mutant.ts'
import { MutantDatabase } from './mutant_database.ts'
import { applyMutant } from './working_copy.ts'

/** A mutant may make a test wait for ever. */
const TIMEOUT_MS = 5 * 60_000
/** All specs together, without a mutant. */
const SOUND_TIMEOUT_MS = 60 * 60_000
const AFTER_FAILURE_MS = 15_000

export type Verdict = 'killed' | 'timed out' | 'survived' | 'not run' | 'broken'

export interface MutantResult {
  name: string
  path: string
  verdict: Verdict
  /** The specs with a failed test; of `broken`, why. */
  noticedBy: string[]
  seconds: number
}

interface Laboratory {
  supervisor: Supervisor
  /** The copy of the project. */
  copy: string
  /** Keeps a log of each mutant. */
  logs: string
  env: NodeJS.ProcessEnv
}

/** Runs the specs without a mutant, then with each mutant after the other. */
export async function runMutants(laboratory: Laboratory, mutants: Mutant[]) {
  const { supervisor, env, copy, logs } = laboratory
  const output = { file: join(logs, 'migrate.log') }
  const migration = ['migration:run', '--force']
  await supervisor.run(ace('migrate', migration, env, { cwd: copy, output }))
  const database = new MutantDatabase(env)

  log('Running the specs without a mutant')
  await prepare(laboratory, database)
  const specs = [...new Set(mutants.flatMap((mutant) => mutant.specs))]
  const sound = await runSpecs(laboratory, 'no mutant', specs, false)
  if (sound.code !== 0) {
    throw new StartUpError(
      `The specs fail without a mutant: ${sound.failed.join(', ')}; see ${relative(root, sound.logFile)}.`
    )
  }

  const results: MutantResult[] = []
  for (const [index, mutant] of mutants.entries()) {
    const result = await runMutant(laboratory, database, mutant)
    log(`${index + 1} of ${mutants.length}: ${result.verdict}, ${result.path}: ${result.name}`)
    results.push(result)
  }
  return results
}

async function prepare({ env }: Laboratory, database: MutantDatabase, sql?: string) {
  await database.create(sql)
  const redis = new Redis(env.REDIS_URL!)
  await redis.flushall()
  redis.disconnect()
}

async function runMutant(
  laboratory: Laboratory,
  database: MutantDatabase,
  mutant: Mutant
): Promise<MutantResult> {
  const startedAt = Date.now()
  const resultOf = (verdict: Verdict, noticedBy: string[]): MutantResult => {
    const seconds = Math.round((Date.now() - startedAt) / 1000)
    return { name: mutant.name, path: pathOf(mutant), verdict, noticedBy, seconds }
  }
  if (mutant.specs.length === 0) return resultOf('not run', [])
  let restore = () => {}
  try {
    await prepare(laboratory, database, 'sql' in mutant ? mutant.sql : undefined)
    if ('file' in mutant) restore = applyMutant(laboratory.copy, mutant)
  } catch (error) {
    return resultOf('broken', [(error as Error).message])
  }
  try {
    const { code, failed, logFile } = await runSpecs(laboratory, mutant.name, mutant.specs, true)
    if (code === 'timed out') return resultOf('timed out', mutant.specs)
    if (code === 0) return resultOf('survived', [])
    // The process failed but no test did, as with a mutant that does not compile.
    return failed.length > 0
      ? resultOf('killed', failed)
      : resultOf('broken', [`see ${relative(root, logFile)}`])
  } finally {
    restore()
  }
}

/** Runs specs in the copy, in a process of their own, until one has failed if `bail` is set. */
async function runSpecs(
  { supervisor, copy, logs, env }: Laboratory,
  name: string,
  specs: string[],
  bail: boolean
) {
  const logFile = join(logs, `${name.replace(/[^\w]+/g, '_')}.log`)
  const failedFile = join(logs, 'failed-specs')
  rmSync(failedFile, { force: true })
  const suites = [...new Set(specs.map((spec) => spec.split('/')[1]))]
  const files = specs.map((spec) => `--files=${spec}`)
  const args = ['test', '--no-clear', ...suites, ...files, ...(bail ? ['--bail'] : [])]
  const database = new MutantDatabase(env)
  const variables = {
    ...env,
    ...database.variables,
    IS_MIGRATED: 'true',
    FAILED_SPECS: failedFile,
  }
  const output = { file: logFile }
  const tests = await supervisor.start(ace('tests', args, variables, { cwd: copy, output }))

  const ended = tests.ended.then(({ code }) => code ?? 1)
  const code = await Promise.race([ended, timeOut(bail ? failedFile : null)])
  if (typeof code === 'string') await tests.stop()
  return { code, failed: failedSpecs(failedFile), logFile }
}

/** Ends after the longest time, or soon after a spec has failed: a process whose preparations failed may not exit. */
async function timeOut(failedFile: string | null) {
  const withinMs = failedFile === null ? SOUND_TIMEOUT_MS : TIMEOUT_MS
  const hasFailed = () => failedFile !== null && existsSync(failedFile)
  const isNoticed = await poll(hasFailed, { withinMs, everyMs: 500 })
  if (!isNoticed) return 'timed out'
  await delay(AFTER_FAILURE_MS)
  return 'failed'
}

function failedSpecs(file: string) {
  if (!existsSync(file)) return []
  const specs = readFileSync(file, 'utf8').trim().split('\n')
  return [...new Set(specs)].filter((spec) => spec.endsWith('.spec.ts'))
}
