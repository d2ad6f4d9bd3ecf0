import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Judge, Site, Verdict } from '../judge/types.ts'
import type { Outcome } from './judge_report.ts'
import { judgeDirectory, judgeLogs } from './paths.ts'
import type { Supervisor } from './supervisor.ts'

/** A judge is stopped after this time. */
const LIMIT_MS = 170_000

interface Trial {
  supervisor: Supervisor
  directory: string
  site: Site
  judges: Judge[]
}

/**
 * Judges of the description, those of the product and those that mostly wait are three lanes at once, each one judge
 * after the other; those that measure time come last, with nothing else running.
 */
export async function runJudges(trial: Trial): Promise<Outcome[]> {
  mkdirSync(judgeLogs, { recursive: true })
  const siteFile = join(trial.directory, 'site.json')
  writeFileSync(siteFile, JSON.stringify(trial.site), { mode: 0o600 })
  const lanes = Map.groupBy(trial.judges, laneOf)
  const alone = lanes.get('alone') ?? []
  lanes.delete('alone')
  const outcomes = await Promise.all(
    [...lanes.values()].map((judges) => withinShare(trial, siteFile, judges))
  )
  return [...outcomes.flat(), ...(await withinShare(trial, siteFile, alone))]
}

const laneOf = ({ needs, runs = 'in turn' }: Judge) => (runs === 'in turn' ? needs : runs)

async function withinShare(trial: Trial, siteFile: string, judges: Judge[]) {
  const outcomes: Outcome[] = []
  for (const judge of judges) outcomes.push(await runOne(trial, siteFile, judge))
  return outcomes
}

async function runOne({ supervisor, directory }: Trial, siteFile: string, { name }: Judge) {
  const verdictFile = join(directory, `${name}.verdict.json`)
  const started = performance.now()
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
  const limit = setTimeout(() => {
    isLate = true
    void child.stop()
  }, LIMIT_MS)
  const { code, signal } = await child.ended
  clearTimeout(limit)
  const seconds = (performance.now() - started) / 1000
  const verdict = readVerdict(verdictFile) ?? noVerdict(isLate, code ?? signal)
  writeFileSync(join(judgeLogs, `${name}.json`), `${JSON.stringify(verdict.findings, null, 2)}\n`)
  return { name, seconds, verdict }
}

const readVerdict = (file: string): Verdict | undefined =>
  existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined

function noVerdict(isLate: boolean, ending: number | string | null): Verdict {
  const why = isLate ? `was not ready after ${LIMIT_MS / 1000} s` : `ended with ${ending}`
  return { checks: 1, findings: [{ sentence: `The judge ${why} and gave no verdict` }] }
}
