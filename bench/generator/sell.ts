import { HttpSocket } from './http_socket.ts'
import type { Outcome, SellJob } from './jobs.ts'
import { PartnerCalls } from './partner_calls.ts'
import { Tally } from './tally.ts'

/** Sells to buyers who never compete for the same seats. */
export async function sell(job: SellJob): Promise<Outcome> {
  const { port, partner, sale, connections, durationMs } = job
  const sockets = await Promise.all(
    Array.from({ length: connections }, () => HttpSocket.open(port))
  )
  const lots = job.lots.values()
  const tally = new Tally()
  const until = performance.now() + durationMs
  await Promise.all(
    sockets.map(async (socket) => {
      const calls = new PartnerCalls(socket, partner, tally)
      for (let now = performance.now(); now < until; now = performance.now()) {
        const { value: lot } = lots.next()
        if (!lot) return
        const booking = await calls.book(lot)
        const order = sale === 'flow' && booking && (await calls.order(booking))
        const paid = order && (await calls.confirm(order))
        if (sale === 'booking' ? booking : paid) tally.finish(now)
      }
    })
  )
  const outcome = tally.outcome()
  for (const socket of sockets) socket.close()
  return outcome
}
