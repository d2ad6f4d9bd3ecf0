import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { ace, buildAssets } from './application.ts'
import { findOrInstallChromium } from './chromium.ts'
import { coverageDirectory } from './paths.ts'
import type { Supervisor } from './supervisor.ts'
import { TEST_PARTS } from './test_process.ts'
import { installTools } from './test_tools.ts'

/** Suites that request pages from a server. */
const SUITES_WITH_PAGES = ['functional', 'contract', 'browser']
const COUNTED = ['passed', 'failed', 'skipped', 'regression'] as const

export interface TestCounts {
  /** Whether the runner has printed its summary: a process that is stopped ends without one, with code 0. */
  isComplete: boolean
  passed: number
  failed: number
  skipped: number
  /** Tests that are known to fail, and failed. */
  regression: number
  /** The reason of each test that was skipped or is known to fail. */
  reasons: string[]
  /** The runner's lines about failures. */
  errors: string[]
}

/** Runs the tests that the arguments select, in this terminal. Returns the exit code. */
export async function runSelected(supervisor: Supervisor, env: NodeJS.ProcessEnv, args: string[]) {
  const chromium = selects(['browser'], args) ? await findOrInstallChromium(supervisor) : undefined
  if (selects(SUITES_WITH_PAGES, args)) await buildAssets(supervisor, env)
  const options = { output: 'inherit', graceMs: 3_000 } as const
  const command = ['test', '--no-clear', ...args]
  const tests = await supervisor.start(ace('tests', command, withChromium(env, chromium), options))
  const { code } = await tests.ended
  return code ?? 1
}

/**
 * Runs all tests, each part in its own process with its own services; `isCovered` keeps which spec runs what. Returns the exit code.
 */
export async function runAll(
  supervisor: Supervisor,
  envs: NodeJS.ProcessEnv[],
  isCovered: boolean
) {
  const chromium = await findOrInstallChromium(supervisor)
  await installTools(supervisor)
  await buildAssets(supervisor, envs[0])
  const runs = await Promise.all(
    TEST_PARTS.map(({ name, suites }, index) => {
      const env = withChromium(envs[index], chromium)
      return runPart(supervisor, name, suites, {
        ...env,
        TEST_PART: name,
        ...(isCovered ? { COVERAGE_FILE: join(coverageDirectory, `${name}.json`) } : {}),
        // No test may skip itself because another suite has not run.
        WHOLE_RUN: 'true',
      })
    })
  )
  printSummary(runs.map(({ counts }) => counts))
  return runs.find(({ code }) => code !== 0)?.code ?? 0
}

interface PartRun {
  code: number
  counts: TestCounts
}

async function runPart(
  supervisor: Supervisor,
  name: string,
  args: string[],
  env: NodeJS.ProcessEnv
): Promise<PartRun> {
  const counts = noCounts()
  const onLine = (line: string) => readCounts(line, counts)
  const command = ['test', '--no-clear', ...args]
  const tests = await supervisor.start(ace(name, command, env, { onLine, graceMs: 3_000 }))
  const { code } = await tests.ended
  if (!counts.isComplete) counts.errors.push(`❯ ${name}: the tests ended before their summary`)
  return { code: codeOf(code, counts), counts }
}

export const noCounts = (): TestCounts => ({
  isComplete: false,
  passed: 0,
  failed: 0,
  skipped: 0,
  regression: 0,
  reasons: [],
  errors: [],
})

/** The exit code of a part of the tests: that of its process, if the summary says that all have run. */
export const codeOf = (code: number | null, { isComplete }: Pick<TestCounts, 'isComplete'>) =>
  isComplete ? (code ?? 1) : code || 1

const withChromium = (env: NodeJS.ProcessEnv, path?: string) =>
  path ? { ...env, CHROMIUM_PATH: path } : env

/** Whether one of these suites will run. The suites that the arguments name come before the flags; without names, all run. */
function selects(wanted: string[], args: string[]) {
  const named = args.filter((argument) => argument !== '--watch')
  const firstFlag = named.findIndex((argument) => argument.startsWith('-'))
  const suites = firstFlag === -1 ? named : named.slice(0, firstFlag)
  return suites.length === 0 || suites.some((suite) => wanted.includes(suite))
}

/** Reads a line of the runner, whose summary is `Tests  41 passed, 1 failed (42)`. */
export function readCounts(line: string, counts: TestCounts) {
  const text = stripVTControlCharacters(line)
  const [, reason] = /^\s*└── (.+)$/.exec(text) ?? []
  if (reason) counts.reasons.push(reason)
  if (counts.errors.length > 0 || text.trim() === 'ERRORS') counts.errors.push(line)
  if (!/^\s*Tests\s+\d/.test(text)) return
  counts.isComplete = true
  for (const kind of COUNTED) {
    counts[kind] = Number(new RegExp(`(\\d+) ${kind}`).exec(text)?.[1] ?? 0)
  }
}

/** Prints all failures, the reasons of skipped tests and the totals, in the runner's own form. */
function printSummary(counts: TestCounts[]) {
  const totals = COUNTED.map((kind) => ({ kind, total: sumOf(counts.map((part) => part[kind])) }))
  const shown = totals.filter(({ kind, total }) => {
    return total > 0 || kind === 'passed' || kind === 'failed'
  })
  const byReason = Map.groupBy(
    counts.flatMap(({ reasons }) => reasons),
    (reason) => reason
  )
  // Repeated here: with several processes printing at once, a failure scrolls far up.
  const errors = counts.flatMap((part) => part.errors)
  const reasons = [...byReason].map(([reason, { length }]) => `${length} × ${reason}`)
  const text = shown.map(({ kind, total }) => `${total} ${kind}`).join(', ')
  const summary = `Tests  ${text} (${sumOf(totals.map(({ total }) => total))})`
  const failures = namesAndMessages(errors)
  process.stdout.write([...errors, '', ...reasons, ...failures, summary, ''].join('\n'))
}

/**
 * Of each failure what fits into a line or two: stack traces are long, and a log is often cut to its end.
 *
 * Example:
 *   ❯ A rush / nothing fails
 *   ℹ AssertionError: {"book 201":40,"book 503 SERVICE_BUSY":1}: expected [ Array(1) ] to deeply equal []
 */
const namesAndMessages = (errors: string[]) =>
  errors.map((line) => stripVTControlCharacters(line)).filter((line) => /^[❯ℹ] /.test(line))

const sumOf = (numbers: number[]) => numbers.reduce((sum, number) => sum + number, 0)
