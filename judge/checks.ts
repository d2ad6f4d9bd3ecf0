import type { Finding, Verdict } from './types.ts'

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

function asText(detail: unknown) {
  if (detail === undefined || typeof detail === 'string') return detail
  return JSON.stringify(detail)
}
