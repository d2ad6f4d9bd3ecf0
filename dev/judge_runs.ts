import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Failure, Judge, Site, Verdict } from '../judge/types.ts'
import { log } from './output.ts'
import { judgeDirectory, judgeLogs, root } from './paths.ts'
import type { Supervisor } from './supervisor.ts'

const TIME_LIMIT_MS = 170_000
/** Twice the three minutes that all judges together take on two quiet cores: more is their fault, not the machine's. */
const TOTAL_LIMIT_SECONDS = 360
const LOCKFILE = join(judgeDirectory, 'package-lock.json')
/** npm writes it last. */
const INSTALLED = join(judgeDirectory, 'node_modules/.package-lock.json')
/** Enough to see a pattern, which a list of thousands would hide. */
const MAX_SHOWN = 60
const DETAIL_LENGTH = 600

/** Installs the judges' packages, which are separate so that installing the project stays quick. */
export async function installJudgePackages(supervisor: Supervisor) {
  if (existsSync(INSTALLED) && statSync(INSTALLED).mtimeMs >= statSync(LOCKFILE).mtimeMs) return
  log("Installing the judges' packages")
  await supervisor.run({
    name: 'npm',
    command: 'npm',
    args: ['ci', '--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline'],
    cwd: judgeDirectory,
    output: 'lines',
  })
}

export async function checkJudgeTypes(supervisor: Supervisor) {
  await supervisor.run({
    name: 'types',
    command: process.execPath,
    args: [join(root, 'node_modules/typescript/bin/tsc'), '--project', judgeDirectory],
    output: 'lines',
  })
  return 0
}

interface JudgeRunsInput {
  supervisor: Supervisor
  directory: string
  site: Site
  judges: Judge[]
}

export interface JudgeResult {
  name: string
  verdict: Verdict
  seconds: number
}

/**
 * Runs the judges and, after them, judges the run itself: its time and the answers in the log of the web process. They run
 * in three lanes at once, each lane one judge after the other: those of the description, those of the product, and those
 * that mostly wait. Judges that measure time run last, with nothing else running.
 */
export async function runJudges(input: JudgeRunsInput): Promise<JudgeResult[]> {
  mkdirSync(judgeLogs, { recursive: true })
  const siteFile = join(input.directory, 'site.json')
  writeFileSync(siteFile, JSON.stringify(input.site), { mode: 0o600 })
  const startedAt = performance.now()
  const logStart = readWebLog().length
  const lanes = Map.groupBy(input.judges, laneOf)
  const alone = lanes.get('alone') ?? []
  lanes.delete('alone')
  const results = await Promise.all(
    [...lanes.values()].map((judges) => runInTurn(input, siteFile, judges))
  )
  results.push(await runInTurn(input, siteFile, alone))
  if (input.judges.some(({ needs }) => needs === 'product'))
    results.push([judgeAnswers(readWebLog().subarray(logStart).toString())])
  return [...results.flat(), judgeTime((performance.now() - startedAt) / 1000)]
}

/** Appended to by each run. */
const WEB_LOG = join(judgeLogs, 'web.log')
const readWebLog = () => (existsSync(WEB_LOG) ? readFileSync(WEB_LOG) : Buffer.alloc(0))

/** Fails for every route that answered 5xx, whether or not its client waited for it, and for a log without requests. */
export function judgeAnswers(webLog: string): JudgeResult {
  const answers = webLog
    .split('\n')
    .filter((line) => JSON_LINE.test(line))
    .map((line) => JSON.parse(line) as LoggedRequest)
    .filter(({ msg }) => msg === 'request')
  const byRoute = Map.groupBy(
    answers.filter(({ status }) => status >= 500),
    ({ method, route = 'none', status }) => `${method} ${route} never answers ${status}`
  )
  const failures: Failure[] = [...byRoute].map(([sentence, { length }]) => ({
    sentence,
    detail: `${length} of ${answers.length} requests of the run`,
  }))
  if (answers.length === 0) failures.push({ sentence: 'The web process logs the requests' })
  return {
    name: 'answers in the web log',
    seconds: 0,
    verdict: { checks: Math.max(1, failures.length), failures },
  }
}

/** Whole lines only: the last one may still be being written. */
const JSON_LINE = /^\{.*\}$/

interface LoggedRequest {
  msg: string
  method: string
  route?: string
  status: number
}

/** Fails when all judges together took too long. */
export function judgeTime(seconds: number): JudgeResult {
  const sentence = `All judges together take at most ${TOTAL_LIMIT_SECONDS} s`
  const isLate = seconds > TOTAL_LIMIT_SECONDS
  const failures = isLate ? [{ sentence, detail: `${seconds.toFixed(1)} s` }] : []
  return { name: 'all together', seconds, verdict: { checks: 1, failures } }
}

const laneOf = ({ needs, runs = 'in turn' }: Judge) => (runs === 'in turn' ? needs : runs)

async function runInTurn(input: JudgeRunsInput, siteFile: string, judges: Judge[]) {
  const results: JudgeResult[] = []
  for (const judge of judges) results.push(await runJudge(input, siteFile, judge))
  return results
}

async function runJudge(
  { supervisor, directory }: JudgeRunsInput,
  siteFile: string,
  { name }: Judge
): Promise<JudgeResult> {
  const verdictFile = join(directory, `${name}.verdict.json`)
  const startedAt = performance.now()
  const child = await supervisor.start({
    name,
    command: process.execPath,
    args: [join(judgeDirectory, 'main.ts'), name, siteFile, verdictFile],
    cwd: judgeDirectory,
    output: 'lines',
    role: 'command',
    graceMs: 2_000,
  })
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    void child.stop()
  }, TIME_LIMIT_MS)
  const { code, signal } = await child.ended
  clearTimeout(timer)
  const seconds = (performance.now() - startedAt) / 1000
  const verdict = readVerdict(verdictFile) ?? missingVerdict(isLate, code ?? signal)
  writeFileSync(join(judgeLogs, `${name}.json`), `${JSON.stringify(verdict.failures, null, 2)}\n`)
  return { name, seconds, verdict }
}

const readVerdict = (file: string): Verdict | undefined =>
  existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined

function missingVerdict(isLate: boolean, ending: number | string | null): Verdict {
  const reason = isLate ? `was not ready after ${TIME_LIMIT_MS / 1000} s` : `ended with ${ending}`
  return { checks: 1, failures: [{ sentence: `The judge ${reason} and gave no verdict` }] }
}

/** Prints the failures, a table of the judges, and the totals in the last line. Returns the exit code. */
export function printResults(results: JudgeResult[]) {
  for (const { name, verdict } of results) printFailures(name, verdict.failures)
  const rows = results.map(({ name, verdict, seconds }) => {
    const { checks, failures } = verdict
    return [name, { checks, failed: failures.length, seconds: Number(seconds.toFixed(1)) }] as const
  })
  console.log()
  console.table(Object.fromEntries(rows))
  const checks = rows.reduce((sum, [, row]) => sum + row.checks, 0)
  const failed = rows.reduce((sum, [, row]) => sum + row.failed, 0)
  console.log(`\n${Math.max(0, checks - failed)} passed, ${failed} failed`)
  return failed === 0 ? 0 : 1
}

function printFailures(name: string, failures: Failure[]) {
  if (failures.length === 0) return
  console.log(`\n${name}: ${failures.length} failed`)
  for (const { sentence, detail } of failures.slice(0, MAX_SHOWN)) {
    console.log(`  - ${sentence}`)
    if (detail) console.log(`      ${detail.slice(0, DETAIL_LENGTH)}`)
  }
  if (failures.length > MAX_SHOWN) {
    console.log(`  … and ${failures.length - MAX_SHOWN} more in ${join(judgeLogs, `${name}.json`)}`)
  }
}
