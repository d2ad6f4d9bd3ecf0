import type { FollowUp } from '#shared/follow_up'
import { statement } from '#shared/statement'

/** The job id changes every 10 s: Redis ignores an id that it still holds, even of a dead job. */
const BUCKET_MS = 10_000

/** Runs to start: new ones, ones to be tried again, and those whose worker let the lease run out. */
export const selectDueRuns = statement<{ id: number }>(
  'settlement_runs_due',
  `SELECT id FROM settlement_runs
    WHERE state IN ('queued', 'running') AND not_before <= clock_timestamp()
      AND (state = 'queued' OR lease_until <= clock_timestamp())
    ORDER BY not_before, id LIMIT 20`
)

/** Queues a job for each run that is due. A job that Redis loses is queued again a second later. */
export default async function startRuns(): Promise<FollowUp[]> {
  const bucket = Math.floor(Date.now() / BUCKET_MS)
  const due = await selectDueRuns({})
  return due.map(({ id }) => {
    return { job: 'perform_run', id: `run-${id}-${bucket}`, data: { id } }
  })
}
