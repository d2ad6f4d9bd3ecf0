import { HttpSocket } from './http_socket.ts'
import type { Outcome, SellJob } from './jobs.ts'
import { PartnerCalls } from './partner_calls.ts'
import { Tally } from './tally.ts'

/** Buyers who don't get in each other's way. */
export async function sell(job: SellJob): Promise<Outcome> {
  const { port, partner, sale, connections, lasts } = job
  const sockets = await Promise.all(
    Array.from({ length: connections }, () => HttpSocket.open(port))
  )
  const lots = job.lots.values()
  const tally = new Tally()
  const until = performance.now() + lasts
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
