import type { ConfirmAnswer, ReceivedConfirm } from '#sales/confirm_order/confirm_attempt'
import { saveAttempts } from '#sales/confirm_order/attempt_files'
import {
  logLost,
  recordLateAttempt,
  toLateAttempt,
  type LateAttempt,
} from '#sales/confirm_order/late_attempt'
import { logRepeated } from '#shared/repeated_log'
import logger from '@adonisjs/core/services/logger'
import { setTimeout as delay } from 'node:timers/promises'

interface LateAttemptsOptions {
  /** The first pause between two tries; each further one is twice as long. */
  firstPauseMs: number
  longestPauseMs: number
  /** Attempts in memory, of 3 KB at most each. */
  maxWaiting: number
}

const OPTIONS: LateAttemptsOptions = {
  firstPauseMs: 1_000,
  longestPauseMs: 15_000,
  maxWaiting: 10_000,
}
/** A process that is stopping has half a minute until it is killed. */
const LAST_TRY_MS = 5_000

/**
 * Attempts that wait for PostgreSQL, for as long as the process lives; then they are saved to a file.
 *
 *     pauses while PostgreSQL is away     1, 2, 4, 8, 15, 15, 15 … s
 */
export class LateAttempts {
  /** The oldest first. */
  #waiting = new Set<LateAttempt>()
  #isRetrying = false
  #isClosed = false
  #running?: Promise<boolean>
  readonly #options: LateAttemptsOptions

  constructor(options: Partial<LateAttemptsOptions> = {}) {
    this.#options = { ...OPTIONS, ...options }
  }

  get size() {
    return this.#waiting.size
  }

  add(received: ReceivedConfirm, answer: ConfirmAnswer): void {
    const late = toLateAttempt(received, answer)
    if (this.#waiting.size >= this.#options.maxWaiting) return logLost(late)
    this.#waiting.add(late)
    if (this.#isClosed) void this.#save()
    else if (!this.#isRetrying) void this.#retry()
  }

  /** Tries each once more, and saves to a file what is still not recorded. */
  async recordOrSave(): Promise<void> {
    const tries = this.#tryAll().then(() => this.#tryAll())
    await Promise.race([tries, delay(LAST_TRY_MS, undefined, { ref: false })])
    // One whose query hangs may be in the file and in PostgreSQL: twice is better than never.
    await this.#save()
  }

  /** For a process that is stopping: from now on nothing is retried. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.recordOrSave()
  }

  async #retry() {
    const { firstPauseMs, longestPauseMs } = this.#options
    this.#isRetrying = true
    for (let pauseMs = firstPauseMs; this.#waiting.size > 0 && !this.#isClosed;) {
      await delay(pauseMs, undefined, { ref: false })
      const areRecorded = await this.#tryAll()
      pauseMs = areRecorded ? firstPauseMs : Math.min(2 * pauseMs, longestPauseMs)
    }
    this.#isRetrying = false
  }

  /** Whether all could be recorded. One after the other, and only once at a time, so that none is recorded twice. */
  #tryAll(): Promise<boolean> {
    this.#running ??= this.#recordAll().finally(() => (this.#running = undefined))
    return this.#running
  }

  async #recordAll(): Promise<boolean> {
    for (const late of this.#waiting) {
      try {
        await recordLateAttempt(late)
      } catch (error) {
        logRepeated(logger, 'warn', 'failed confirms cannot be recorded yet', error)
        return false
      }
      this.#waiting.delete(late)
    }
    return true
  }

  async #save() {
    const left = [...this.#waiting]
    this.#waiting.clear()
    if (left.length === 0) return
    try {
      const path = await saveAttempts(left)
      logger.warn({ path, attempts: left.length }, 'failed confirms were saved to a file')
    } catch (error) {
      for (const late of left) logLost(late, error)
    }
  }
}

const lateAttempts = new LateAttempts()

/**
 * Records a confirm later whose attempt could not be written on arrival, because PostgreSQL or its connections were too
 * busy: the buyer may have been charged, and only we know that it was our fault. The answer does not wait for it.
 */
export const recordAttemptLater = (received: ReceivedConfirm, answer: ConfirmAnswer): void =>
  lateAttempts.add(received, answer)

export const recordWaitingAttempts = () => lateAttempts.recordOrSave()

/** For a process that is stopping, when it has answered its last request. */
export const closeLateAttempts = () => lateAttempts.close()
