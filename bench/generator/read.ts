import { HttpSocket } from './http_socket.ts'
import type { Outcome, ReadJob } from './jobs.ts'
import { plainRequest, signedRequest } from './signed_request.ts'
import { Tally } from './tally.ts'

export async function read({
  port,
  path,
  partner,
  connections,
  durationMs,
}: ReadJob): Promise<Outcome> {
  const sockets = await Promise.all(
    Array.from({ length: connections }, () => HttpSocket.open(port))
  )
  const tally = new Tally()
  const until = performance.now() + durationMs
  const request = () => (partner ? signedRequest(partner, 'GET', path) : plainRequest(path))
  await Promise.all(
    sockets.map(async (socket) => {
      for (let now = performance.now(); now < until; now = performance.now()) {
        const { status } = await socket.send(request(), false)
        tally.answered(String(status))
        if (status === 200) tally.finish(now)
      }
    })
  )
  const outcome = tally.outcome()
  for (const socket of sockets) socket.close()
  return outcome
}
