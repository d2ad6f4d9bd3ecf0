import { join } from 'node:path'
import { ace } from './application.ts'
import { buildAssets } from './assets.ts'
import { findOrInstallChromium } from './chromium.ts'
import { specsToRepeat } from './failed_specs.ts'
import type { Supervisor } from './supervisor.ts'
import { count, nothing, tell, type Counts } from './test_counts.ts'
import { TEST_PARTS } from './test_parts.ts'

/** Suites that ask a server for pages. */
const SERVED = ['functional', 'contract', 'browser']

/** What the arguments name, in this terminal. */
export async function runSome(supervisor: Supervisor, env: NodeJS.ProcessEnv, args: string[]) {
  const chromium = needs(['browser'], args) ? await findOrInstallChromium(supervisor) : undefined
  if (needs(SERVED, args)) await buildAssets(supervisor, env)
  const options = { output: 'inherit', graceMs: 3_000 } as const
  const command = ['test', '--no-clear', ...args]
  const tests = await supervisor.start(ace('tests', command, withChromium(env, chromium), options))
  const { code } = await tests.ended
  return code ?? 1
}

const withChromium = (env: NodeJS.ProcessEnv, path?: string) =>
  path ? { ...env, CHROMIUM_PATH: path } : env

/** Everything: each part in a process of its own, with services of its own. */
export async function runAll(supervisor: Supervisor, envs: NodeJS.ProcessEnv[]) {
  const chromium = await findOrInstallChromium(supervisor)
  await buildAssets(supervisor, envs[0])
  const runs = await Promise.all(
    TEST_PARTS.map(({ name, suites }, index) => {
      const env = withChromium(envs[index], chromium)
      const own = { TEST_PART: name, FAILED_SPECS: failedSpecsOf(env) }
      // Nothing may leave itself out for want of what another suite has seen.
      return runPart(supervisor, name, suites, { ...env, ...own, WHOLE_RUN: 'true' })
    })
  )
  const repeated: string[] = []
  for (const run of runs) {
    if (run.code !== 0) repeated.push(...(await repeatAlone(supervisor, run)))
  }
  tell(runs.map(({ counts }) => counts))
  for (const spec of repeated) process.stdout.write(`Passed only when repeated alone: ${spec}\n`)
  return runs.find(({ code }) => code !== 0)?.code ?? 0
}

interface PartRun {
  name: string
  env: NodeJS.ProcessEnv
  code: number
  counts: Counts
}

async function runPart(
  supervisor: Supervisor,
  name: string,
  args: string[],
  env: NodeJS.ProcessEnv
): Promise<PartRun> {
  const counts = nothing()
  const onLine = (line: string) => count(line, counts)
  const command = ['test', '--no-clear', ...args]
  const tests = await supervisor.start(ace(name, command, env, { onLine, graceMs: 3_000 }))
  const { code } = await tests.ended
  return { name, env, code: code ?? 1, counts }
}

/**
 * A machine that does everything at once may keep a test waiting for longer than it allows: a few specs that failed
 * are run once more, with nothing beside them, and are named if they pass then.
 */
async function repeatAlone(supervisor: Supervisor, run: PartRun): Promise<string[]> {
  const specs = specsToRepeat(failedSpecsOf(run.env))
  if (specs.length === 0) return []
  const suites = new Set(specs.map((spec) => spec.split('/')[1]))
  const files = specs.map((spec) => `--files=${spec}`)
  const env = { ...run.env, FAILED_SPECS: undefined }
  const again = await runPart(supervisor, `${run.name} again`, [...suites, ...files], env)
  if (again.code !== 0 || again.counts.passed < run.counts.failed) return []
  run.code = 0
  run.counts.passed += run.counts.failed
  run.counts.failed = 0
  return specs
}

const failedSpecsOf = ({ ENV_PATH: directory }: NodeJS.ProcessEnv) =>
  join(directory!, 'failed-specs')

/** Whether one of these suites will run. Suites, when any are named, come before the flags. */
function needs(wanted: string[], args: string[]) {
  const firstFlag = args.findIndex((argument) => argument.startsWith('-'))
  const suites = firstFlag === -1 ? args : args.slice(0, firstFlag)
  return suites.length === 0 || suites.some((suite) => wanted.includes(suite))
}
