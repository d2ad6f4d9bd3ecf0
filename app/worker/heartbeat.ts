import { logRepeated } from '#shared/repeated_log'
import { statement } from '#shared/statement'
import type { QueueName } from '#start/schedule'
import type { LoneClock } from '#worker/lone_clock'
import logger from '@adonisjs/core/services/logger'
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'

const BEAT_MS = 15_000

/** Stores that the worker is alive, and deletes workers that were silent for a day. */
const upsertBeat = statement<
  object,
  { id: string; host: string; pid: number; queues: string[]; isAlone: boolean }
>(
  'worker_beat',
  `WITH silent AS (DELETE FROM workers WHERE beat_at < clock_timestamp() - interval '1 day')
   INSERT INTO workers (id, host, pid, queues, is_alone) VALUES (:id, :host, :pid, :queues, :isAlone)
   ON CONFLICT (id) DO UPDATE SET is_alone = excluded.is_alone, beat_at = clock_timestamp()`
)

const deleteWorker = statement<object, { id: string }>(
  'worker_leave',
  'DELETE FROM workers WHERE id = :id'
)

/** Stores every 15 s that this worker is alive, and ends a worker that gets no jobs any more. */
export class Heartbeat {
  readonly id = randomUUID()
  #timer?: NodeJS.Timeout
  #lastJobAt = performance.now()
  #jobs = 0

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
    await deleteWorker({ id: this.id }).catch(() => {})
  }

  /** Counts a job that begins; the caller calls the returned function when it ends. */
  beginJob(): () => void {
    this.#jobs++
    return () => {
      this.#jobs--
      this.#lastJobAt = performance.now()
    }
  }

  get isIdle() {
    return this.#jobs === 0
  }

  /** The clock's queue has a job every second: a worker of that queue that gets none has lost the queue. */
  get isStuck() {
    if (this.loneClock.isAlone || this.#jobs > 0) this.#lastJobAt = performance.now()
    return this.queues.includes('clock') && performance.now() - this.#lastJobAt > this.stuckMs
  }

  async #beat() {
    if (this.isStuck) {
      logger.fatal('no job for long: this worker has lost its queue and ends')
      this.onStuck()
    }
    const { id, queues, loneClock } = this
    const { isAlone } = loneClock
    await upsertBeat({ id, host: hostname(), pid: process.pid, queues, isAlone }).catch(
      (error: unknown) => logRepeated(logger, 'error', 'heartbeat failed', error)
    )
  }
}
