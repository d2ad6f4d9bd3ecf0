import { HttpSocket } from './http_socket.ts'
import type { ArrivalsJob, Credentials, Outcome, RushJob } from './jobs.ts'
import { PartnerCalls } from './partner_calls.ts'
import { signedRequest } from './signed_request.ts'
import { Tally } from './tally.ts'

/** Buyers move on to the next sector when fewer free seats than this are left. */
const MIN_FREE_SEATS = 60

/** The seats that buyers believe to be free: they know which seats are sold, but not which are held. */
class Crowd {
  readonly #sectors: string[][]
  readonly #sectorOf = new Map<string, string[]>()

  constructor(sectors: string[][]) {
    this.#sectors = sectors.map((seats) => [...seats])
    for (const sector of this.#sectors) for (const seat of sector) this.#sectorOf.set(seat, sector)
  }

  pick(): string[] | undefined {
    const seats = this.#sectors.find((each) => each.length > MIN_FREE_SEATS)
    if (!seats) return undefined
    const first = Math.floor(Math.random() * (seats.length - 1))
    return [seats[first], seats[first + 1]]
  }

  forget(sold: string[]) {
    for (const seat of sold) {
      const sector = this.#sectorOf.get(seat)!
      const index = sector.indexOf(seat)
      if (index !== -1) sector.splice(index, 1)
    }
  }
}

/** Every buyer picks adjacent seats of the same sector, and picks again when another buyer was faster. */
export async function rush(job: RushJob): Promise<Outcome> {
  const { port, partners, eventId, connections, durationMs } = job
  const sockets = await Promise.all(
    Array.from({ length: connections }, () => HttpSocket.open(port))
  )
  const crowd = new Crowd(job.sectors)
  const tally = new Tally()
  const until = performance.now() + durationMs
  await Promise.all(
    sockets.map(async (socket, index) => {
      const calls = new PartnerCalls(socket, partners[index % partners.length], tally)
      for (let now = performance.now(); now < until; now = performance.now()) {
        const seats = crowd.pick()
        if (!seats) return
        const booking = await calls.book({ eventId, seats })
        const order = booking && (await calls.order(booking))
        const paid = order && (await calls.confirm(order))
        if (!paid) continue
        const sold = paid.tickets.map((ticket) => ticket.space_id)
        crowd.forget(sold)
        tally.sold(sold)
        tally.finish(now)
      }
    })
  )
  const outcome = tally.outcome()
  for (const socket of sockets) socket.close()
  return outcome
}

/** Open-loop load: each request is timed from the moment it was due, so that slow responses don't delay the next ones. */
export async function arrivals(job: ArrivalsJob): Promise<Outcome> {
  const { port, partners, perSecond, durationMs } = job
  const idle: HttpSocket[] = []
  const tally = new Tally()
  const began = performance.now()
  const total = Math.floor((durationMs / 1000) * perSecond)
  const ask = async (index: number, due: number) => {
    const socket = idle.pop() ?? (await HttpSocket.open(port))
    const partner = partners[index % partners.length]
    await (job.path
      ? readOnce(socket, partner, job.path, tally)
      : holdAny(socket, partner, job, tally))
    tally.finish(due)
    idle.push(socket)
  }

  const asked: Promise<void>[] = []
  for (let index = 0; index < total; index++) {
    const due = began + (index * 1000) / perSecond
    const wait = due - performance.now()
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
    asked.push(ask(index, due))
  }
  await Promise.all(asked)
  const outcome = tally.outcome()
  for (const socket of idle) socket.close()
  return outcome
}

async function readOnce(socket: HttpSocket, partner: Credentials, path: string, tally: Tally) {
  const { status } = await socket.send(signedRequest(partner, 'GET', path), false)
  tally.answered(String(status))
}

/** Holds two adjacent seats at a random place. */
async function holdAny(
  socket: HttpSocket,
  partner: Credentials,
  { eventId, seats }: ArrivalsJob,
  tally: Tally
) {
  const first = Math.floor(Math.random() * (seats.length - 1))
  const calls = new PartnerCalls(socket, partner, tally)
  await calls.book({ eventId, seats: [seats[first], seats[first + 1]] })
}
