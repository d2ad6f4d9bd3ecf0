import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Outcome, ReceiveJob } from './jobs.ts'
import { Tally } from './tally.ts'

/** Longer than the relay's turn: nothing came for so long, so nothing is to come. */
const SILENCE_MS = 10_000

/** Rates count from the first webhook to the last. */
export async function receive({ port, count }: ReceiveJob): Promise<Outcome> {
  const over = Promise.withResolvers<void>()
  let silence = setTimeout(over.resolve, SILENCE_MS)
  let tally: Tally | undefined
  let received = 0
  const server = createServer((request, response) => {
    tally ??= new Tally()
    const since = performance.now()
    request.resume().on('end', () => {
      response.end()
      tally!.answered(String(request.headers['x-webhook-event']))
      tally!.finish(since)
      clearTimeout(silence)
      if (++received >= count) over.resolve()
      else silence = setTimeout(over.resolve, SILENCE_MS)
    })
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  await over.promise
  const outcome = (tally ?? new Tally()).outcome()
  server.close()
  server.closeAllConnections()
  return outcome
}
