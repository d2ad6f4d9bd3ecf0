import { stripVTControlCharacters } from 'node:util'
import { ace } from './application.ts'
import { buildAssets } from './assets.ts'
import { findOrInstallChromium } from './chromium.ts'
import type { Supervisor } from './supervisor.ts'
import { TEST_PARTS } from './test_parts.ts'

/** Suites that ask a server for pages. */
const SERVED = ['functional', 'contract', 'browser']
const KINDS = ['passed', 'failed', 'skipped', 'regression'] as const

interface Counts {
  passed: number
  failed: number
  skipped: number
  /** Known to fail, and failed. */
  regression: number
  /** Why tests were skipped or are known to fail, once for each of them. */
  reasons: string[]
  /** What the runner tells of failures, line by line. */
  errors: string[]
}

const nothing = (): Counts => ({
  passed: 0,
  failed: 0,
  skipped: 0,
  regression: 0,
  reasons: [],
  errors: [],
})

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
  // Nothing may leave itself out for want of what another suite has seen.
  const whole = envs.map((env) => ({ ...withChromium(env, chromium), WHOLE_RUN: 'true' }))
  return runParts(supervisor, whole)
}

async function runParts(supervisor: Supervisor, envs: NodeJS.ProcessEnv[]) {
  const runs = await Promise.all(
    TEST_PARTS.map(async ({ name, suites }, index) => {
      const counts = nothing()
      const onLine = (line: string) => count(line, counts)
      const command = ['test', '--no-clear', ...suites]
      const options = { onLine, graceMs: 3_000 }
      const env = { ...envs[index], TEST_PART: name }
      const tests = await supervisor.start(ace(name, command, env, options))
      return { tests, counts }
    })
  )
  const endings = await Promise.all(runs.map(({ tests }) => tests.ended))
  tell(runs.map(({ counts }) => counts))
  return endings.find(({ code }) => code !== 0)?.code ?? (endings.every(isWell) ? 0 : 1)
}

/** As the runner sums up, and why tests did not pass that had a reason. */
function tell(counts: Counts[]) {
  const totals = KINDS.map((kind) => ({ kind, sum: sumOf(counts.map((one) => one[kind])) }))
  const told = totals.filter(({ kind, sum }) => sum > 0 || kind === 'passed' || kind === 'failed')
  const reasons = Map.groupBy(
    counts.flatMap((one) => one.reasons),
    (reason) => reason
  )
  const left = [...reasons].map(([reason, { length }]) => `\n${length} × ${reason}`).join('')
  // Of several processes that print at once, what failed would be far above.
  const errors = counts.flatMap((one) => one.errors.map((line) => `${line}\n`)).join('')
  const line = told.map(({ kind, sum }) => `${sum} ${kind}`).join(', ')
  process.stdout.write(
    `${errors}${left}\nTests  ${line} (${sumOf(totals.map(({ sum }) => sum))})\n`
  )
}

const sumOf = (numbers: number[]) => numbers.reduce((sum, one) => sum + one, 0)

const isWell = ({ code }: { code: number | null }) => code === 0

/** The runner's own summary: `Tests  41 passed, 1 failed (42)`. */
function count(line: string, counts: Counts) {
  const text = stripVTControlCharacters(line)
  const [, reason] = /^\s*└── (.+)$/.exec(text) ?? []
  if (reason) counts.reasons.push(reason)
  if (counts.errors.length > 0 || text.trim() === 'ERRORS') counts.errors.push(line)
  if (!/^\s*Tests\s+\d/.test(text)) return
  for (const kind of KINDS) counts[kind] = Number(new RegExp(`(\\d+) ${kind}`).exec(text)?.[1] ?? 0)
}

/** Whether one of these suites will run. Suites, when any are named, come before the flags. */
function needs(wanted: string[], args: string[]) {
  const firstFlag = args.findIndex((argument) => argument.startsWith('-'))
  const suites = firstFlag === -1 ? args : args.slice(0, firstFlag)
  return suites.length === 0 || suites.some((suite) => wanted.includes(suite))
}
