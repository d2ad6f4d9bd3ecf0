import { Queue, Worker } from 'bullmq'
import { Redis } from 'ioredis'
import type { EmptyJobsJob, Outcome } from './jobs.ts'
import { Tally } from './tally.ts'

/** The queue is filled before the clock starts: only taking, running and ending of jobs is measured. */
export async function emptyJobs(job: EmptyJobsJob): Promise<Outcome> {
  const connection = new Redis(job.redisUrl, { maxRetriesPerRequest: null })
  const options = { connection, prefix: 'limit' }
  const queue = new Queue('empty', options)
  const opts = { removeOnComplete: true, removeOnFail: true }
  const data = { id: 1 }
  const jobs = Array.from({ length: job.count }, () => ({ name: 'nothing', data, opts }))
  for (let at = 0; at < jobs.length; at += 1_000) await queue.addBulk(jobs.slice(at, at + 1_000))

  const { concurrency } = job
  const worker = new Worker('empty', async () => {}, { ...options, concurrency, autorun: false })
  const over = Promise.withResolvers<void>()
  const tally = new Tally()
  let done = 0
  worker.on('completed', ({ processedOn = 0, finishedOn = 0 }) => {
    tally.answered('done')
    tally.finish(performance.now() - (finishedOn - processedOn))
    if (++done === job.count) over.resolve()
  })
  worker.on('error', over.reject)
  worker.run().catch(over.reject)
  await over.promise
  const outcome = tally.outcome()
  await worker.close()
  await queue.close()
  connection.disconnect()
  return outcome
}
