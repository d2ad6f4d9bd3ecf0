import { setTimeout as delay } from 'node:timers/promises'

/** Less work than this is not worth a pause. */
const MIN_WORK_MS = 20
/** Work between two pauses that is counted at most; a single long step causes no pause of minutes. */
const MAX_WORK_MS = 500
const CHECK_EVERY_MS = 500

interface BackgroundThrottleOptions {
  /** Whether partners are sending requests now. */
  hasRecentRequests: () => Promise<boolean>
  /** The length of a pause as a multiple of the work before it: 4 leaves a fifth of the time for work. */
  pauseFactor: number
  /** Ends a pause at once, by rejecting it. */
  signal?: AbortSignal
  /** The clock that work is measured by, in milliseconds; the process' own when left out. */
  now?: () => number
}

/** Pauses background work while partners send requests, so that it does not slow down their responses (ADR 14). */
export class BackgroundThrottle {
  readonly #now: () => number
  #workStartedAt: number
  #checkedAt = -Infinity
  #hasRecentRequests = false

  constructor(private readonly options: BackgroundThrottleOptions) {
    this.#now = options.now ?? (() => performance.now())
    this.#workStartedAt = this.#now()
  }

  /** Called for every row. Returns a pause to await, or undefined when too little work was done since the last one. */
  pause(): Promise<void> | undefined {
    const workedMs = this.#now() - this.#workStartedAt
    return workedMs < MIN_WORK_MS ? undefined : this.#pause(Math.min(workedMs, MAX_WORK_MS))
  }

  async #pause(workedMs: number) {
    const { hasRecentRequests, pauseFactor, signal } = this.options
    if (this.#now() - this.#checkedAt > CHECK_EVERY_MS) {
      this.#hasRecentRequests = await hasRecentRequests()
      this.#checkedAt = this.#now()
    }
    if (this.#hasRecentRequests) await delay(workedMs * pauseFactor, undefined, { signal })
    this.#workStartedAt = this.#now()
  }
}
