import { selectDueRuns } from '#runs/queries/perform'
import type { FollowUp } from '#shared/follow_up'

/** A job that died with its worker must not keep the next one from being queued for long. */
const BUCKET_MS = 10_000

/** Asks for the runs whose turn it is. What Redis forgets is asked for again a second later. */
export default async function startRuns(): Promise<FollowUp[]> {
  const bucket = Math.floor(Date.now() / BUCKET_MS)
  const due = await selectDueRuns({})
  return due.map(({ id }) => {
    return { job: 'perform_run', id: `run-${id}-${bucket}`, data: { id } }
  })
}
