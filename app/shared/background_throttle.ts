import { setTimeout as delay } from 'node:timers/promises'

/** Less work than this is not worth a rest. */
const WORK_MS = 20
const MOST_WORK_MS = 500
const LOOK_EVERY_MS = 500

interface GiveWayOptions {
  /** Whether somebody waits for answers now. */
  isAsked: () => Promise<boolean>
  /** As many times as long as it has worked. */
  rests: number
  signal?: AbortSignal
}

/** Rests that long work takes while somebody waits for answers. */
export class GiveWay {
  #beganAt = performance.now()
  #lookedAt = -Infinity
  #isAsked = false

  constructor(private readonly options: GiveWayOptions) {}

  /** For every row: a rest to wait for once it has worked for a while, and otherwise nothing. */
  turn(): Promise<void> | undefined {
    const workedMs = performance.now() - this.#beganAt
    return workedMs < WORK_MS ? undefined : this.#rest(Math.min(workedMs, MOST_WORK_MS))
  }

  async #rest(workedMs: number) {
    const { isAsked, rests, signal } = this.options
    if (performance.now() - this.#lookedAt > LOOK_EVERY_MS) {
      this.#isAsked = await isAsked()
      this.#lookedAt = performance.now()
    }
    if (this.#isAsked) await delay(workedMs * rests, undefined, { signal })
    this.#beganAt = performance.now()
  }
}
