import { stripVTControlCharacters } from 'node:util'
import { ace } from './application.ts'
import { buildAssets } from './assets.ts'
import { findOrInstallChromium } from './chromium.ts'
import type { Supervisor } from './supervisor.ts'

/** Suites that ask a server for pages. */
const SERVED = ['functional', 'contract', 'browser']
/**
 * Together they take little longer than the longer of them: one often waits for the clock, the other for Chromium. The
 * contract's tests look at the answers that the functional ones were given, in one process.
 */
const PARTS = [
  { name: 'served', suites: ['functional', 'contract'] },
  { name: 'others', suites: ['unit', 'architecture', 'browser'] },
]

interface Counts {
  passed: number
  failed: number
}

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

/** Everything: in two processes, each with services of its own. */
export async function runAll(supervisor: Supervisor, envs: NodeJS.ProcessEnv[]) {
  const chromium = await findOrInstallChromium(supervisor)
  await buildAssets(supervisor, envs[0])
  return runBoth(
    supervisor,
    envs.map((env) => withChromium(env, chromium))
  )
}

async function runBoth(supervisor: Supervisor, envs: NodeJS.ProcessEnv[]) {
  const runs = await Promise.all(
    PARTS.map(async ({ name, suites }, index) => {
      const counts: Counts = { passed: 0, failed: 0 }
      const onLine = (line: string) => count(line, counts)
      const command = ['test', '--no-clear', ...suites]
      const options = { onLine, graceMs: 3_000 }
      const tests = await supervisor.start(ace(name, command, envs[index], options))
      return { tests, counts }
    })
  )
  const endings = await Promise.all(runs.map(({ tests }) => tests.ended))
  const [passed, failed] = (['passed', 'failed'] as const).map((kind) =>
    runs.reduce((sum, { counts }) => sum + counts[kind], 0)
  )
  process.stdout.write(`\nTests  ${passed} passed, ${failed} failed (${passed + failed})\n`)
  return endings.find(({ code }) => code !== 0)?.code ?? (endings.every(isWell) ? 0 : 1)
}

const isWell = ({ code }: { code: number | null }) => code === 0

/** The runner's own summary: `Tests  41 passed, 1 failed (42)`. */
function count(line: string, counts: Counts) {
  const text = stripVTControlCharacters(line)
  if (!/^\s*Tests\s+\d/.test(text)) return
  counts.passed = Number(/(\d+) passed/.exec(text)?.[1] ?? 0)
  counts.failed = Number(/(\d+) failed/.exec(text)?.[1] ?? 0)
}

/** Whether one of these suites will run. Suites, when any are named, come before the flags. */
function needs(wanted: string[], args: string[]) {
  const firstFlag = args.findIndex((argument) => argument.startsWith('-'))
  const suites = firstFlag === -1 ? args : args.slice(0, firstFlag)
  return suites.length === 0 || suites.some((suite) => wanted.includes(suite))
}
