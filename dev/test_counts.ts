import { stripVTControlCharacters } from 'node:util'

const KINDS = ['passed', 'failed', 'skipped', 'regression'] as const

export interface Counts {
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

export const nothing = (): Counts => ({
  passed: 0,
  failed: 0,
  skipped: 0,
  regression: 0,
  reasons: [],
  errors: [],
})

/** Reads a line of the runner. Its own summary: `Tests  41 passed, 1 failed (42)`. */
export function count(line: string, counts: Counts) {
  const text = stripVTControlCharacters(line)
  const [, reason] = /^\s*└── (.+)$/.exec(text) ?? []
  if (reason) counts.reasons.push(reason)
  if (counts.errors.length > 0 || text.trim() === 'ERRORS') counts.errors.push(line)
  if (!/^\s*Tests\s+\d/.test(text)) return
  for (const kind of KINDS) counts[kind] = Number(new RegExp(`(\\d+) ${kind}`).exec(text)?.[1] ?? 0)
}

/** As the runner sums up, and why tests did not pass that had a reason. */
export function tell(counts: Counts[]) {
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
