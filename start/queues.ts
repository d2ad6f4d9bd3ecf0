import type { FollowUp } from '#shared/follow_up'
import { QUEUE_OF, QUEUES, SCHEDULE, type QueueName } from '#start/schedule'
import { Queue, type ConnectionOptions } from 'bullmq'

export const QUEUE_PREFIX = 'jobs'
const KEEP = { count: 100 }

export type Queues = Record<QueueName, Queue>

export function openQueues(connection: ConnectionOptions): Queues {
  const options = { connection, prefix: QUEUE_PREFIX }
  const names = Object.keys(QUEUES) as QueueName[]
  return Object.fromEntries(names.map((name) => [name, new Queue(name, options)])) as Queues
}

export const closeQueues = (queues: Queues) =>
  Promise.all(Object.values(queues).map((queue) => queue.close()))

/**
 * Schedules live in Redis: whoever finds them gone puts them back, and takes away what no longer is one. Queues may be
 * closed once it has ended, and no sooner: it ends early when it is told to.
 */
export async function schedule(queues: Queues, stopping: AbortSignal) {
  for (const { name, job, everyMs, queue } of SCHEDULE) {
    if (stopping.aborted) return
    const options = { removeOnComplete: KEEP, removeOnFail: KEEP }
    await queues[queue].upsertJobScheduler(name, { every: everyMs }, { name: job, opts: options })
  }
  for (const queue of Object.values(queues)) {
    if (stopping.aborted) return
    await dropStrangers(queue)
  }
}

async function dropStrangers(queue: Queue) {
  for (const { key } of await queue.getJobSchedulers()) {
    const isOurs = SCHEDULE.some(({ name, queue: home }) => name === key && home === queue.name)
    if (!isOurs) await queue.removeJobScheduler(key)
  }
}

/** Kept, a job would keep the next one of its id from being added. */
const FORGET = { removeOnComplete: true, removeOnFail: true }

export async function ask(queues: Queues, followUps: FollowUp[]) {
  const byQueue = Map.groupBy(followUps, ({ job }) => QUEUE_OF[job])
  for (const [name, asked] of byQueue) {
    await queues[name].addBulk(
      asked.map(({ job, id, data }) => ({ name: job, data, opts: { ...FORGET, jobId: id } }))
    )
  }
}
