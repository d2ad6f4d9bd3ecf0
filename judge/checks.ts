import type { Finding, Verdict } from './types.ts'

/** Enough to see a pattern; a list of thousands hides it. */
const MOST_FINDINGS_SHOWN = 100

/** Counts what was looked at and keeps what fell. */
export class Checks {
  #made = 0
  readonly #findings: Finding[] = []

  /** Answers whether it held. */
  expect(holds: boolean, sentence: string, detail?: unknown): boolean {
    this.#made += 1
    if (!holds) this.#findings.push({ sentence, detail: asText(detail) })
    return holds
  }

  get verdict(): Verdict {
    return { checks: this.#made, findings: this.#findings }
  }
}

export const shownFindings = (findings: Finding[]) => findings.slice(0, MOST_FINDINGS_SHOWN)

function asText(detail: unknown) {
  if (detail === undefined || typeof detail === 'string') return detail
  return JSON.stringify(detail)
}
