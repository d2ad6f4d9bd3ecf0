import { once } from 'node:events'
import { createServer } from 'node:http'
import pg from 'pg'
import type { Outcome, ReceiveJob } from './jobs.ts'
import { Tally } from './tally.ts'

/** Longer than the relay's interval and the first retry: after it no more webhooks are expected. */
const SILENCE_MS = 10_000

let onWebhook = (_name: string) => {}
let listening: Promise<unknown> | undefined

/** Rates are measured from the commit of the journal entries to the last webhook. */
export async function receive(job: ReceiveJob): Promise<Outcome> {
  listening ??= listen(job.port)
  await listening
  const database = new pg.Client({ connectionString: job.databaseUrl })
  await database.connect()
  const over = Promise.withResolvers<void>()
  let silence: NodeJS.Timeout | undefined
  let received = 0
  const { text, values } = job.news
  await database.query(text, values)
  const tally = new Tally()
  const committed = performance.now()
  onWebhook = (name) => {
    tally.answered(name)
    tally.finish(committed)
    clearTimeout(silence)
    if (++received >= job.count) over.resolve()
    else silence = setTimeout(over.resolve, SILENCE_MS)
  }
  await over.promise
  const outcome = tally.outcome()
  await database.end()
  return outcome
}

/** Stays open from round to round, as a partner's server does. */
async function listen(port: number) {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.end()
      onWebhook(String(request.headers['x-webhook-event']))
    })
  })
  server.keepAliveTimeout = 600_000
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
}
