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
 * Writes the schedules to Redis, which may have lost them, and removes obsolete ones. The queues must stay open until it has
 * ended; an abort makes it end early.
 */
export async function schedule(queues: Queues, stopping: AbortSignal) {
  for (const { name, job, everyMs, queue } of SCHEDULE) {
    if (stopping.aborted) return
    const options = { removeOnComplete: KEEP, removeOnFail: KEEP }
    await queues[queue].upsertJobScheduler(name, { every: everyMs }, { name: job, opts: options })
  }
  for (const queue of Object.values(queues)) {
    if (stopping.aborted) return
    await removeObsoleteSchedules(queue)
  }
}

async function removeObsoleteSchedules(queue: Queue) {
  for (const { key } of await queue.getJobSchedulers()) {
    const isScheduled = SCHEDULE.some(
      ({ name, queue: home }) => name === key && home === queue.name
    )
    if (!isScheduled) await queue.removeJobScheduler(key)
  }
}

/** Removes a job when it has ended: otherwise BullMQ would not add the next one of the same id. */
const REMOVE_WHEN_ENDED = { removeOnComplete: true, removeOnFail: true }

/** Adds jobs to their queues, unless one of the same id is waiting there. */
export async function addJobs(queues: Queues, followUps: FollowUp[]) {
  const byQueue = Map.groupBy(followUps, ({ job }) => QUEUE_OF[job])
  for (const [name, jobs] of byQueue) {
    await queues[name].addBulk(
      jobs.map(({ job, id, data }) => ({
        name: job,
        data,
        opts: { ...REMOVE_WHEN_ENDED, jobId: id },
      }))
    )
  }
}
