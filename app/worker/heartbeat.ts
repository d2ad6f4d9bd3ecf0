import type { QueueName } from '#start/schedule'
import type { LoneClock } from '#worker/lone_clock'
import { beat, leave } from '#worker/queries/work_log'
import logger from '@adonisjs/core/services/logger'
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'

const BEAT_MS = 15_000

/** Tells PostgreSQL that this worker is at work, and notices when it no longer gets any. */
export class Heartbeat {
  readonly id = randomUUID()
  #timer?: NodeJS.Timeout
  #lastJobAt = performance.now()
  #inHand = 0

  constructor(
    private queues: QueueName[],
    private loneClock: LoneClock,
    private onStuck: () => void,
    private stuckMs = 90_000
  ) {}

  async start() {
    this.#timer = setInterval(() => this.#beat(), BEAT_MS)
    await this.#beat()
  }

  async stop() {
    clearInterval(this.#timer)
    await leave({ id: this.id }).catch(() => {})
  }

  /** A job begins; the function returned says that it ended. */
  beginJob(): () => void {
    this.#inHand++
    return () => {
      this.#inHand--
      this.#lastJobAt = performance.now()
    }
  }

  get isIdle() {
    return this.#inHand === 0
  }

  /** The clock's queue has something to do every second: a worker that gets none of it has lost the queue. */
  get isStuck() {
    if (this.loneClock.isAlone || this.#inHand > 0) this.#lastJobAt = performance.now()
    return this.queues.includes('clock') && performance.now() - this.#lastJobAt > this.stuckMs
  }

  async #beat() {
    if (this.isStuck) {
      logger.fatal('no job for long: this worker has lost its queue and ends')
      this.onStuck()
    }
    const { id, queues, loneClock } = this
    const { isAlone } = loneClock
    await beat({ id, host: hostname(), pid: process.pid, queues, isAlone }).catch(
      (error: unknown) => logger.error({ err: error }, 'heartbeat')
    )
  }
}
