import { QUEUES, SCHEDULE, type JobName, type QueueName } from '#start/schedule'
import type { FollowUp } from '#shared/follow_up'
import { BaseCommand, flags } from '@adonisjs/core/ace'
import type { CommandOptions } from '@adonisjs/core/types/ace'
import logger from '@adonisjs/core/services/logger'
import redis from '@adonisjs/redis/services/main'
import { Queue, UnrecoverableError, Worker, type Job } from 'bullmq'

const PREFIX = 'jobs'
const CLOSE_WITHIN_MS = 20_000
const KEEP = { count: 100 }

type Run = (data: any) => Promise<FollowUp[] | void>

const JOBS: Record<JobName, () => Promise<{ default: Run }>> = {
  expire_overdue: () => import('#sales/jobs/expire_overdue'),
  follow_sales_clock: () => import('#catalog/jobs/follow_sales_clock'),
  relay_news: () => import('#webhooks/jobs/relay_news'),
  expire_tickets: () => import('#tickets/jobs/expire_tickets'),
  prune_deliveries: () => import('#webhooks/jobs/prune_deliveries'),
  deliver_webhooks: () => import('#webhooks/jobs/deliver_webhooks'),
}

export default class QueueWork extends BaseCommand {
  static commandName = 'queue:work'
  static description = 'Run the scheduled jobs; any number of workers may run'
  static options: CommandOptions = { startApp: true, staysAlive: true }

  @flags.array({ description: 'Queues to work on: clock, webhooks; all when left out' })
  declare queues?: string[]

  @flags.number({ description: 'Jobs of a queue at once' })
  declare concurrency?: number

  async run() {
    const names = this.#names()
    if (!names) return
    const connection = redis.connection('queue').ioConnection
    const options = { connection, prefix: PREFIX }
    const clock = new Queue('clock', options)
    const webhooks = new Queue('webhooks', options)
    const workers = names.map((name) => {
      const concurrency = this.concurrency ?? QUEUES[name]
      const run = (job: Job) => runJob(job, webhooks)
      return new Worker(name, run, { ...options, concurrency, maxStalledCount: 3 })
    })
    const report = (error: Error) => logger.error({ err: error }, 'queue')
    for (const queue of [clock, webhooks]) queue.on('error', report)
    for (const worker of workers) {
      worker.on('error', report)
      worker.on('failed', (job, error) =>
        logger.error({ err: error, job: job?.name }, 'job failed')
      )
    }
    // Schedules live in Redis: a wiped one has them again within a minute.
    const keeper = setInterval(() => schedule(clock).catch(() => {}), 60_000)
    this.app.terminating(async () => {
      clearInterval(keeper)
      const timeUp = new Promise((resolve) => setTimeout(resolve, CLOSE_WITHIN_MS).unref())
      await Promise.race([Promise.all(workers.map((worker) => worker.close())), timeUp])
      await Promise.all([clock.close(), webhooks.close()])
    })

    // A stop may come meanwhile and close the queue.
    await schedule(clock).catch(report)
    this.logger.info(`working on ${names.join(' and ')}, ${SCHEDULE.length} schedules`)
  }

  #names(): QueueName[] | null {
    const known = Object.keys(QUEUES) as QueueName[]
    const unknown = this.queues?.find((name) => !known.includes(name as QueueName))
    if (unknown === undefined) return (this.queues as QueueName[] | undefined) ?? known
    this.logger.error(`there is no queue ${unknown}: choose of ${known.join(', ')}`)
    this.exitCode = 1
    return null
  }
}

/** A job that this version doesn't know is set aside at once; what it was for is found in PostgreSQL again. */
async function runJob({ name, data }: Job, webhooks: Queue) {
  if (!(name in JOBS)) throw new UnrecoverableError(`there is no job ${name}`)
  const { default: run } = await JOBS[name as JobName]()
  const followUps = (await run(data)) ?? []
  if (followUps.length === 0) return
  // Kept, a job would keep the next one of its id from being added.
  const opts = { removeOnComplete: true, removeOnFail: true }
  const asked = followUps.map(({ job, id, data: about }) => {
    return { name: job, data: about, opts: { ...opts, jobId: id } }
  })
  await webhooks.addBulk(asked)
}

async function schedule(queue: Queue) {
  for (const { name, job, everyMs } of SCHEDULE) {
    const options = { removeOnComplete: KEEP, removeOnFail: KEEP }
    await queue.upsertJobScheduler(name, { every: everyMs }, { name: job, opts: options })
  }
}
