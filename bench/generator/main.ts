import type { Job, Outcome } from './jobs.ts'
import { emptyJobs } from './empty_jobs.ts'
import { read } from './read.ts'
import { receive } from './receive.ts'
import { arrivals, rush } from './rush.ts'
import { sell } from './sell.ts'
import { statements } from './statements.ts'

export type Reply = { outcome: Outcome } | { error: string }

/** Takes one job at a time from the process that started it. */
process.on('message', (job: Job) => {
  run(job).then(
    (outcome) => process.send!({ outcome } satisfies Reply),
    (error: Error) => process.send!({ error: error.stack ?? error.message } satisfies Reply)
  )
})
process.on('disconnect', () => process.exit())

function run(job: Job): Promise<Outcome> {
  if (job.kind === 'read') return read(job)
  if (job.kind === 'sell') return sell(job)
  if (job.kind === 'statements') return statements(job)
  if (job.kind === 'rush') return rush(job)
  if (job.kind === 'receive') return receive(job)
  if (job.kind === 'empty_jobs') return emptyJobs(job)
  return arrivals(job)
}
