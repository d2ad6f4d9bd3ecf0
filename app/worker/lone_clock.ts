import type { FollowUp } from '#shared/follow_up'
import { logRepeated } from '#shared/repeated_log'
import { QUEUE_OF, QUEUES, SCHEDULE, type QueueName } from '#start/schedule'
import { runJob } from '#worker/jobs'
import logger from '@adonisjs/core/services/logger'

const TICK_MS = 1_000

/**
 * Runs the schedule in this process once Redis has been away for a minute: all due work is in PostgreSQL, and every job may run
 * in several workers at once. When Redis is back, its queues take over again.
 */
export class LoneClock {
  #timer?: NodeJS.Timeout
  #seenAt = performance.now()
  #isPinging = false
  #isAlone = false
  #lastRunAt = new Map<string, number>()
  #stopping = new AbortController()
  #running = new Map<string, Promise<void>>()

  constructor(
    private queues: QueueName[],
    private pingRedis: () => Promise<unknown>,
    private patienceMs = 60_000
  ) {}

  get isAlone() {
    return this.#isAlone
  }

  get hasRedis() {
    return performance.now() - this.#seenAt < 3 * TICK_MS
  }

  start() {
    this.#timer = setInterval(() => this.#tick(), TICK_MS)
  }

  async stop() {
    clearInterval(this.#timer)
    this.#stopping.abort()
    await Promise.all(this.#running.values())
  }

  #tick() {
    this.#pingRedis()
    const now = performance.now()
    this.#setAlone(now - this.#seenAt > this.patienceMs)
    if (!this.#isAlone) return
    for (const { job, everyMs, queue } of SCHEDULE) {
      if (!this.queues.includes(queue)) continue
      const lastRunAt = this.#lastRunAt.get(job) ?? -Infinity
      if (now - lastRunAt < everyMs || this.#running.has(job)) continue
      this.#lastRunAt.set(job, now)
      this.#run(job, job, {})
    }
  }

  /** A ping that is sent while Redis is away is answered when it is back. */
  #pingRedis() {
    if (this.#isPinging) return
    this.#isPinging = true
    const seen = () => {
      this.#seenAt = performance.now()
    }
    this.pingRedis()
      .then(seen, () => {})
      .finally(() => {
        this.#isPinging = false
      })
  }

  #setAlone(isAlone: boolean) {
    if (isAlone === this.#isAlone) return
    this.#isAlone = isAlone
    if (isAlone)
      logger.warn('Redis has been away for a minute: the schedule is kept in this process')
    else logger.info('Redis is back: its queues are worked on again')
  }

  #run(id: string, job: string, data: unknown) {
    const run = runJob(job, data, this.#stopping.signal).then(
      (followUps) => this.#follow(followUps),
      (error: unknown) => logRepeated(logger, 'error', 'job failed', error, { job })
    )
    this.#running.set(
      id,
      run.finally(() => this.#running.delete(id))
    )
  }

  /** Runs each follow-up once at a time, and no more of a kind than its queue's concurrency. */
  #follow(followUps: FollowUp[]) {
    for (const { job, data } of followUps) {
      const id = `${job} ${data.id}`
      const sameJob = [...this.#running.keys()].filter((other) => other.startsWith(`${job} `))
      if (sameJob.length >= QUEUES[QUEUE_OF[job]]) continue
      if (!this.#running.has(id)) this.#run(id, job, data)
    }
  }
}
