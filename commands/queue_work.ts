import { SCHEDULE, type JobName } from '#start/schedule'
import { BaseCommand, flags } from '@adonisjs/core/ace'
import type { CommandOptions } from '@adonisjs/core/types/ace'
import logger from '@adonisjs/core/services/logger'
import redis from '@adonisjs/redis/services/main'
import { Queue, Worker } from 'bullmq'

const QUEUE = 'clock'
const PREFIX = 'jobs'
const CLOSE_WITHIN_MS = 20_000
const KEEP = { count: 100 }

const JOBS: Record<JobName, () => Promise<{ default: () => Promise<void> }>> = {
  expire_overdue: () => import('#sales/jobs/expire_overdue'),
  follow_sales_clock: () => import('#catalog/jobs/follow_sales_clock'),
}

export default class QueueWork extends BaseCommand {
  static commandName = 'queue:work'
  static description = 'Run the scheduled jobs; any number of workers may run'
  static options: CommandOptions = { startApp: true, staysAlive: true }

  @flags.number({ description: 'Jobs at once', default: 2 })
  declare concurrency: number

  async run() {
    const connection = redis.connection('queue').ioConnection
    const queue = new Queue(QUEUE, { connection, prefix: PREFIX })
    const worker = new Worker(QUEUE, (job) => runJob(job.name as JobName), {
      connection,
      prefix: PREFIX,
      concurrency: this.concurrency,
      maxStalledCount: 3,
    })
    const report = (error: Error) => logger.error({ err: error }, 'queue')
    queue.on('error', report)
    worker.on('error', report)
    worker.on('failed', (job, error) => logger.error({ err: error, job: job?.name }, 'job failed'))
    this.app.terminating(async () => {
      clearInterval(keeper)
      const timeUp = new Promise((resolve) => setTimeout(resolve, CLOSE_WITHIN_MS).unref())
      await Promise.race([worker.close(), timeUp])
      await queue.close()
    })

    await schedule(queue)
    // Schedules live in Redis: a wiped one has them again within a minute.
    const keeper = setInterval(() => schedule(queue).catch(() => {}), 60_000)
    this.logger.info(`working on ${SCHEDULE.length} schedules`)
  }
}

async function runJob(name: JobName) {
  const { default: run } = await JOBS[name]()
  await run()
}

async function schedule(queue: Queue) {
  for (const { name, job, everyMs } of SCHEDULE) {
    const options = { removeOnComplete: KEEP, removeOnFail: KEEP }
    await queue.upsertJobScheduler(name, { every: everyMs }, { name: job, opts: options })
  }
}
