import type { Outcome } from './jobs.ts'

/** Counts the units and responses of a job and measures the time of each unit. */
export class Tally {
  readonly #began = performance.now()
  readonly #milliseconds: number[] = []
  readonly #answers: Record<string, number> = {}
  readonly #soldTo = new Map<string, number>()

  /** Records a successful unit that started at `since`, by `performance.now()`. */
  finish(since: number) {
    this.#milliseconds.push(performance.now() - since)
  }

  answered(what: string) {
    this.#answers[what] = (this.#answers[what] ?? 0) + 1
  }

  sold(seats: string[]) {
    for (const seat of seats) this.#soldTo.set(seat, (this.#soldTo.get(seat) ?? 0) + 1)
  }

  outcome(): Outcome {
    const seconds = (performance.now() - this.#began) / 1000
    const sorted = this.#milliseconds.sort((a, b) => a - b)
    const at = (share: number) =>
      sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
    return {
      done: sorted.length,
      seconds,
      perSecond: sorted.length / seconds,
      answers: this.#answers,
      p50: at(0.5),
      p95: at(0.95),
      p99: at(0.99),
      soldTwice: [...this.#soldTo].filter(([, times]) => times > 1).map(([seat]) => seat),
    }
  }
}
