import { HttpSocket, type Answer } from './generator/http_socket.ts'
import type { Statement } from './generator/jobs.ts'
import { PartnerCalls } from './generator/partner_calls.ts'
import { signedRequest } from './generator/signed_request.ts'
import { Tally } from './generator/tally.ts'
import { commandsDuring } from './redis_inspection.ts'
import type { Stage } from './stage.ts'
import { statementsDuring } from './statement_log.ts'
import { freeLots } from './stock.ts'

export interface RoundTrips {
  request: string
  statements: Statement[]
  commands: string[]
}

/** Written every few seconds for all requests together: it falls into one of them by chance. */
const BEHIND = 'partner_answers_add'

/** What each request asks of PostgreSQL and Redis when it comes alone. */
export async function countRoundTrips({ small, postgresLog }: Stage): Promise<RoundTrips[]> {
  const { port, partners, shownEvent, seatsEvent, sector, database, redisUrl } = small
  const socket = await HttpSocket.open(port)
  const calls = new PartnerCalls(socket, partners.bulk, new Tally())
  const get = async (path: string) =>
    assertOk(await socket.send(signedRequest(partners.bulk, 'GET', path), true))
  const sell = await seller(calls, small)
  const requests: [string, () => Promise<void>][] = [
    ['GET /events/{event_id}', () => get(`/events/${shownEvent}`)],
    [
      'GET /events/{event_id}/seats?sector=',
      () => get(`/events/${seatsEvent}/seats?sector=${sector}`),
    ],
    ['POST /bookings', sell.book],
    ['POST /orders', sell.order],
    ['POST /orders/{order_id}/confirm', sell.confirm],
  ]
  // The first request of a process also loads what it needs.
  for (const [, ask] of requests) await ask()

  const trips: RoundTrips[] = []
  for (const [request, ask] of requests) {
    let commands: string[] = []
    const found = await statementsDuring(database, postgresLog, async () => {
      commands = await commandsDuring(redisUrl, ask)
    })
    const statements = found.filter(({ name }) => name !== BEHIND)
    trips.push({ request, statements, commands })
  }
  socket.close()
  return trips
}

async function seller(calls: PartnerCalls, site: Stage['small']) {
  const free = await freeLots(site, 2)
  const lots = free.values()
  let booking: Awaited<ReturnType<typeof calls.book>>
  let order: Awaited<ReturnType<typeof calls.order>>
  return {
    book: async () => assertDone((booking = await calls.book(lots.next().value!))),
    order: async () => assertDone((order = await calls.order(booking!))),
    confirm: async () => assertDone(await calls.confirm(order!)),
  }
}

function assertOk({ status, body }: Answer) {
  if (status !== 200) throw new Error(`${status} ${body}`)
}

function assertDone(data: unknown) {
  if (!data) throw new Error('A sale for counting round trips was refused')
}
