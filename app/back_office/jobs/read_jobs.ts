import type { QueueLine, ScheduleLine, WorkerLine } from '#back_office/jobs/jobs_props'
import { SCHEDULE } from '#start/schedule'
import { openQueues, type Queues } from '#start/queues'
import { statement } from '#shared/statement'
import redis from '@adonisjs/redis/services/main'
import { setTimeout as delay } from 'node:timers/promises'

const STATES = ['waiting', 'active', 'delayed', 'failed'] as const
const PATIENCE_MS = 1_500
const MOST_FAILED = 50

type Run = Omit<ScheduleLine, 'name' | 'everyMs'>

const selectRuns = statement<Run>(
  'back_office_job_runs',
  `SELECT job, ran_at AS "ranAt", took_ms AS "tookMs", succeeded_at AS "succeededAt", failed_at AS "failedAt", failure,
          failures_in_row AS "failuresInRow" FROM job_runs`
)

export const selectWorkers = statement<WorkerLine>(
  'back_office_workers',
  `SELECT id, host, pid, queues, is_alone AS "isAlone", started_at AS "startedAt", beat_at AS "beatAt",
          beat_at < clock_timestamp() - interval '45 s' AS "isSilent" FROM workers ORDER BY started_at`
)

const NEVER: Omit<Run, 'job'> = {
  ranAt: null,
  tookMs: null,
  succeededAt: null,
  failedAt: null,
  failure: null,
  failuresInRow: 0,
}

/** Every scheduled job with the outcome of its last run. */
export async function readSchedule(): Promise<ScheduleLine[]> {
  const runs = await selectRuns({})
  const byJob = new Map(runs.map((run) => [run.job, run]))
  return SCHEDULE.map((each) => ({ ...NEVER, ...byJob.get(each.job), ...each }))
}

let opened: Queues | undefined

export function queues(): Queues {
  opened ??= openQueues(redis.connection('jobs').ioConnection)
  return opened
}

/** The queues in Redis; null when it does not answer in time. */
export async function readQueues(): Promise<QueueLine[] | null> {
  const read = Promise.all(Object.values(queues()).map((queue) => readQueue(queue)))
  read.catch(() => {})
  return Promise.race([read.catch(() => null), delay(PATIENCE_MS, null, { ref: false })])
}

async function readQueue(queue: Queues['clock']): Promise<QueueLine> {
  const [counts, jobs] = await Promise.all([
    queue.getJobCounts(...STATES),
    queue.getFailed(0, MOST_FAILED - 1),
  ])
  const failed = jobs.map(({ id, name, finishedOn = null, failedReason, data }) => {
    return { id: id!, name, failedAt: finishedOn, reason: failedReason, data: JSON.stringify(data) }
  })
  return { name: queue.name, counts: counts as QueueLine['counts'], failed }
}
