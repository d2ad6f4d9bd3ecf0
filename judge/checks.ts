import type { Failure, Verdict } from './types.ts'

/** Counts checks and keeps the failed ones. */
export class Checks {
  #count = 0
  readonly #failures: Failure[] = []

  /** Records a check. Returns whether it passed. */
  expect(passed: boolean, sentence: string, detail?: unknown): boolean {
    this.#count += 1
    if (!passed) this.#failures.push({ sentence, detail: asText(detail) })
    return passed
  }

  get verdict(): Verdict {
    return { checks: this.#count, failures: this.#failures }
  }
}

function asText(detail: unknown) {
  if (detail === undefined || typeof detail === 'string') return detail
  return JSON.stringify(detail)
}
