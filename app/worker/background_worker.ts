import { QUEUES, type QueueName } from '#start/schedule'
import { Heartbeat } from '#worker/heartbeat'
import { runJob, UnknownJob } from '#worker/jobs'
import { LoneClock } from '#worker/lone_clock'
import {
  addJobs,
  closeQueues,
  openQueues,
  QUEUE_PREFIX,
  schedule,
  type Queues,
} from '#start/queues'
import { isLostConnection } from '#shared/redis_outages'
import { logRepeated } from '#shared/repeated_log'
import logger from '@adonisjs/core/services/logger'
import redis from '@adonisjs/redis/services/main'
import { UnrecoverableError, Worker, type Job } from 'bullmq'
import { setTimeout as delay } from 'node:timers/promises'

const CLOSE_WITHIN_MS = 20_000
const EXIT_MS = 2_000
const SCHEDULE_AGAIN_MS = 60_000

/** A lost Redis has a line of its own in the log. */
function report(error: Error) {
  if (!isLostConnection(error)) logRepeated(logger, 'error', 'queue', error)
}

/** Processes queues of Redis. While Redis is away for a minute or more, runs the schedule itself (`LoneClock`). */
export class BackgroundWorker {
  #queues: Queues
  #workers: Worker[]
  #loneClock: LoneClock
  #heartbeat: Heartbeat
  #keeper: NodeJS.Timeout
  #scheduling = Promise.resolve()
  #stopping = new AbortController()

  constructor(names: QueueName[], onStuck: () => void, concurrency?: number) {
    const connection = redis.connection('queue').ioConnection
    this.#queues = openQueues(connection)
    this.#workers = names.map((name) => {
      const options = { connection, prefix: QUEUE_PREFIX, maxStalledCount: 3 }
      return new Worker(name, (job) => this.#run(job), {
        ...options,
        concurrency: concurrency ?? QUEUES[name],
      })
    })
    this.#listen()
    this.#loneClock = new LoneClock(names, () => connection.ping())
    this.#heartbeat = new Heartbeat(names, this.#loneClock, onStuck)
    this.#keeper = setInterval(() => this.#schedule(() => {}), SCHEDULE_AGAIN_MS)
  }

  get isReady() {
    return !this.#heartbeat.isStuck
  }

  async start() {
    this.#loneClock.start()
    await this.#heartbeat.start()
    // Redis may be away: the worker starts anyway.
    this.#schedule(report)
  }

  /** Waits up to 20 s for jobs under way; another worker repeats those that have not ended by then. */
  async stop() {
    clearInterval(this.#keeper)
    this.#stopping.abort()
    const finished = this.#finish()
    const isFinished = await Promise.race([finished.then(() => true), this.#hasToGiveUp()])
    await this.#heartbeat.stop()
    // A connection that waits for a lost Redis would keep the process alive.
    if (!isFinished) setTimeout(() => process.exit(), EXIT_MS).unref()
  }

  async #finish() {
    const closed = this.#workers.map((worker) => worker.close())
    await Promise.all([this.#loneClock.stop(), this.#scheduling, ...closed])
    await closeQueues(this.#queues)
  }

  #schedule(onError: (error: Error) => void) {
    const before = this.#scheduling
    const again = () => schedule(this.#queues, this.#stopping.signal)
    this.#scheduling = before.then(again).catch(onError)
  }

  /** Resolves when the time is up, or when Redis is away and no job is under way. */
  async #hasToGiveUp(): Promise<false> {
    const deadline = performance.now() + CLOSE_WITHIN_MS
    const isAbandoned = () => !this.#loneClock.hasRedis && this.#heartbeat.isIdle
    while (performance.now() < deadline && !isAbandoned()) await delay(200)
    return false
  }

  async #run({ name, data }: Job) {
    const done = this.#heartbeat.beginJob()
    try {
      await addJobs(this.#queues, await runJob(name, data, this.#stopping.signal))
    } catch (error) {
      // Another attempt would not know the job either.
      throw error instanceof UnknownJob ? new UnrecoverableError(error.message) : error
    } finally {
      done()
    }
  }

  #listen() {
    for (const queue of Object.values(this.#queues)) queue.on('error', report)
    for (const worker of this.#workers) {
      worker.on('error', report)
      worker.on('failed', (job, error) =>
        logRepeated(logger, 'error', 'job failed', error, { job: job?.name })
      )
    }
  }
}
