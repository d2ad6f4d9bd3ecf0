import { readFile, stat } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { HttpSocket, type Answer } from './generator/http_socket.ts'
import type { Statement } from './generator/jobs.ts'
import { PartnerCalls } from './generator/partner_calls.ts'
import { signedRequest } from './generator/signed_request.ts'
import { Tally } from './generator/tally.ts'
import { commandsDuring } from './redis_inspection.ts'
import type { Testbed } from './testbed.ts'
import { freeLots } from './stock.ts'

export interface RoundTrips {
  request: string
  statements: Statement[]
  commands: string[]
}

/** Run by the clock for all requests together, so they are not part of any one request. */
const BACKGROUND_STATEMENTS = ['partner_answers_add', 'partner_keys_live', 'gate_device_digests']
/** The head of an entry in PostgreSQL's log, and the name and text of an executed statement. */
const ENTRY = /^\d{4}-\d\d-\d\d \S+ \S+ \[\d+\] (\w+): {2}/
const EXECUTED = /^(?:execute ([^:]+)|statement): ([\s\S]*)$/
const SETTLED_MS = 300

/** Records the statements and commands that each request sends to PostgreSQL and Redis when it runs alone. */
export async function countRoundTrips({ small, postgresLog }: Testbed): Promise<RoundTrips[]> {
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
  // The first request of a process also fills its caches.
  for (const [, ask] of requests) await ask()

  const trips: RoundTrips[] = []
  for (const [request, ask] of requests) {
    let commands: string[] = []
    const executed = await statementsDuring(database, postgresLog, async () => {
      commands = await commandsDuring(redisUrl, ask)
    })
    const statements = executed.filter(({ name }) => !BACKGROUND_STATEMENTS.includes(name))
    trips.push({ request, statements, commands })
  }
  socket.close()
  return trips
}

async function seller(calls: PartnerCalls, site: Testbed['small']) {
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

/** The statements that PostgreSQL executes while `act` runs, in order, from its own log. */
async function statementsDuring(
  admin: pg.Client,
  file: string,
  act: () => Promise<void>
): Promise<Statement[]> {
  await setLogging(admin, 'all')
  const { size } = await stat(file)
  await act()
  await delay(SETTLED_MS)
  const log = await readFile(file)
  await setLogging(admin, 'none')
  return entriesOf(log.subarray(size).toString()).flatMap(({ level, message }) => {
    const [, name = '', statement] = (level === 'LOG' && EXECUTED.exec(message)) || []
    return statement === undefined ? [] : [{ name, text: statement }]
  })
}

async function setLogging(admin: pg.Client, what: 'all' | 'none') {
  await admin.query(`ALTER SYSTEM SET log_statement = '${what}'`)
  await admin.query('SELECT pg_reload_conf()')
  await delay(SETTLED_MS)
}

/** Further lines of a statement start with a tab. */
function entriesOf(log: string) {
  const entries: { level: string; message: string }[] = []
  for (const line of log.split('\n')) {
    const head = ENTRY.exec(line)
    if (head) entries.push({ level: head[1], message: line.slice(head[0].length) })
    else if (line.startsWith('\t')) entries.at(-1)!.message += `\n${line.slice(1)}`
  }
  return entries
}
