import { Queue, Worker } from 'bullmq'
import { Redis } from 'ioredis'
import type { EmptyJobsJob, Outcome } from './jobs.ts'
import { Tally } from './tally.ts'

/** From the first job added to the last one done, added in bulk as the relay does it. */
export async function emptyJobs(job: EmptyJobsJob): Promise<Outcome> {
  const connection = new Redis(job.redisUrl, { maxRetriesPerRequest: null })
  const options = { connection, prefix: 'limit' }
  const queue = new Queue('empty', options)
  const { concurrency } = job
  const worker = new Worker('empty', async () => {}, { ...options, concurrency })
  await worker.waitUntilReady()
  const over = Promise.withResolvers<void>()
  const tally = new Tally()
  let done = 0
  worker.on('completed', ({ timestamp, finishedOn = 0 }) => {
    tally.answered('done')
    tally.finish(performance.now() - (finishedOn - timestamp))
    if (++done === job.count) over.resolve()
  })
  worker.on('error', over.reject)
  const opts = { removeOnComplete: true, removeOnFail: true }
  const jobs = Array.from({ length: job.count }, () => ({ name: 'nothing', data: { id: 1 }, opts }))
  for (let at = 0; at < jobs.length; at += 1_000) await queue.addBulk(jobs.slice(at, at + 1_000))
  await over.promise
  const outcome = tally.outcome()
  await worker.close()
  await queue.close()
  connection.disconnect()
  return outcome
}
