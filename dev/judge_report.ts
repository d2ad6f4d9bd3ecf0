import { join } from 'node:path'
import type { Finding, Verdict } from '../judge/types.ts'
import { judgeLogs } from './paths.ts'

export interface Outcome {
  name: string
  verdict: Verdict
  seconds: number
}

/** Enough to see a pattern; a list of thousands hides it. */
const MOST_SHOWN = 60
const DETAIL_LENGTH = 600

/** A table of the judges, what fell, and a last line that counts the checks. Returns the exit code. */
export function printVerdicts(outcomes: Outcome[]) {
  for (const { name, verdict } of outcomes) printFindings(name, verdict.findings)
  const rows = outcomes.map(({ name, verdict, seconds }) => ({
    judge: name,
    checks: verdict.checks,
    fallen: verdict.findings.length,
    seconds: Number(seconds.toFixed(1)),
  }))
  console.log()
  console.table(Object.fromEntries(rows.map(({ judge, ...columns }) => [judge, columns])))
  const checks = rows.reduce((sum, { checks: made }) => sum + made, 0)
  const failed = rows.reduce((sum, { fallen }) => sum + fallen, 0)
  console.log(`\n${Math.max(0, checks - failed)} passed, ${failed} failed`)
  return failed === 0 ? 0 : 1
}

function printFindings(name: string, findings: Finding[]) {
  if (findings.length === 0) return
  console.log(`\n${name}: ${findings.length} fell`)
  for (const { sentence, detail } of findings.slice(0, MOST_SHOWN)) {
    console.log(`  - ${sentence}`)
    if (detail) console.log(`      ${detail.slice(0, DETAIL_LENGTH)}`)
  }
  if (findings.length > MOST_SHOWN) {
    console.log(
      `  … and ${findings.length - MOST_SHOWN} more in ${join(judgeLogs, `${name}.json`)}`
    )
  }
}
