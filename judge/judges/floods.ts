import { fork, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { Checks } from '../checks.ts'
import { Client, PREFIX } from '../client.ts'
import type { FloodOrder, FloodReport } from '../flood_child.ts'
import { Shop } from '../shop.ts'
import { statementsDuring } from '../statements.ts'
import type { Judge, Product } from '../types.ts'

const REQUESTS = 10_000
const HALF_OPEN = 300
/** Short slices with and without a flood alternate, so that other load on the machine affects both alike. */
const SLICES = 10
const SLICE_MS = 1_000
const WARM_UP_MS = 4_000
const PER_SECOND = 1_000
/**
 * A slower machine gets a flood of this share of what a bare server of Node answers on it: the limit is one of the product, and
 * a thousand a second is all that some machines can do. By the machine, not by the product, so that a slower product fails.
 */
const SHARE_OF_MACHINE = 1 / 10
/** Where no latency is measured, the flood is as fast as the server answers it. */
const FASTEST_PER_SECOND = 5_000
/** More than any machine answers: each request is sent as soon as the one before is answered. */
const NO_PACE = 1_000_000
const PACE_MS = 20
const LONGEST_SLICE_MS = 15_000
/** The permitted growth of the p95 of signed requests. */
const FACTOR = 2
/** A p95 below this counts as this: twice 2 ms is one garbage collection, and no partner feels it. */
const LEAST_MS = 5
/** The best of several attempts counts, because other programs on the machine only ever make a figure worse. */
const TRIES = 3

/** What an address may cost a minute, the defaults of `.env.example`; later requests must not reach PostgreSQL. */
const FAILURES_PER_MINUTE = 30
const PUBLIC_READS_PER_MINUTE = 300
/** Requests of a stranger at once: so many may have begun when the budget ends. */
const AT_ONCE = 20
const MINUTE_MS = 60_000

const QUIET_MS = 1_000

const IN_FLIGHT = 20
const ABORT_ROUNDS = 6
/**
 * A reset is not answered, so there is nothing to wait for: after this time the server has seen it, long before the 30 s after
 * which a leaked slot would free itself.
 */
const RESET_SEEN_MS = 250

const floods: Judge = {
  name: 'floods',
  about: 'strangers in numbers, and clients that give up, next to signed traffic',
  needs: 'product',
  runs: 'alone',
  async run(product) {
    const checks = new Checks()
    const child = fork(join(import.meta.dirname, '../flood_child.ts'))
    await abortedRequests(product, checks)
    await queriesOfStrangers(product, child, checks)
    await latencyInAFlood(product, child, checks)
    child.kill()
    return checks.verdict
  },
}

async function latencyInAFlood(product: Product, child: ChildProcess, checks: Checks) {
  const shop = new Shop(product, 'rival')
  // A warm-up, because code is compiled on its first runs.
  await traffic(shop, (ms) => ms > WARM_UP_MS)
  const tries: string[] = []
  let isCheap = false
  while (!isCheap && tries.length < TRIES) {
    // Each time, because what else the machine does may change.
    const speed = await speedOfMachine(child)
    const perSecond = Math.min(PER_SECOND, Math.round(speed * SHARE_OF_MACHINE))
    const { alone, flooded, statuses, answered } = await turns(product, shop, child, perSecond)
    isCheap = flooded <= Math.max(alone, LEAST_MS) * FACTOR
    const times = `${alone.toFixed(1)} ms alone, ${flooded.toFixed(1)} ms in a flood`
    tries.push(`${times} of ${perSecond} requests a second`)
    const turnedAway = statuses.filter((status) => status >= 429)
    checks.expect(turnedAway.length === 0, 'No signed request is turned away', turnedAway.join())
    const refused = (answered[401] ?? 0) + (answered[429] ?? 0)
    checks.expect(refused === REQUESTS, 'Each of 10,000 unsigned requests is 401 or 429', answered)
  }
  const sentence = `10,000 unsigned requests and ${HALF_OPEN} half-open connections cost signed traffic at most ${FACTOR} × its p95`
  checks.expect(isCheap, sentence, tries.join('; '))
  console.log(tries.join('\n'))
  shop.close()
}

/** Answers a second of a bare server to the same flood. */
async function speedOfMachine(child: ChildProcess): Promise<number> {
  const server = fork(join(import.meta.dirname, '../bare_server.ts'))
  const [port] = (await once(server, 'message')) as [number]
  const order = { port, requests: REQUESTS / SLICES, perSecond: NO_PACE, halfOpen: 0 }
  // The first one compiles the code of both.
  await flood(child, order)
  const started = performance.now()
  await flood(child, order)
  const elapsedMs = performance.now() - started
  server.kill()
  return (order.requests / elapsedMs) * 1_000
}

async function flood(child: ChildProcess, order: FloodOrder): Promise<FloodReport> {
  child.send(order)
  const [report] = (await once(child, 'message')) as [FloodReport]
  return report
}

/** The medians of the slices' p95 alone and in a flood. */
async function turns({ port }: Product, shop: Shop, child: ChildProcess, perSecond: number) {
  const alone: number[] = []
  const flooded: number[] = []
  const statuses: number[] = []
  const answered: Record<string, number> = {}
  for (let slice = 0; slice < SLICES; slice++) {
    const before = await traffic(shop, (ms) => ms > SLICE_MS)
    alone.push(percentile(before.latencies, 0.95))

    let report: FloodReport | undefined
    const order = { port, requests: REQUESTS / SLICES, perSecond, halfOpen: HALF_OPEN }
    void flood(child, order).then((sent) => (report = sent))
    const meanwhile = await traffic(shop, (ms) => report !== undefined || ms > LONGEST_SLICE_MS)
    flooded.push(percentile(meanwhile.latencies, 0.95))

    statuses.push(...before.statuses, ...meanwhile.statuses)
    for (const [status, count] of Object.entries(report?.answered ?? {})) {
      answered[status] = (answered[status] ?? 0) + count
    }
  }
  return { alone: percentile(alone, 0.5), flooded: percentile(flooded, 0.5), statuses, answered }
}

/** Open-loop reads: each is sent at its time, whether or not earlier ones have been answered. */
async function traffic(shop: Shop, isOver: (elapsedMs: number) => boolean) {
  const latencies: number[] = []
  const statuses: number[] = []
  const open: Promise<void>[] = []
  const started = performance.now()
  for (let n = 0; !isOver(performance.now() - started); n++) {
    open.push(measured(shop, n, latencies, statuses))
    await delay(Math.max(0, started + (n + 1) * PACE_MS - performance.now()))
  }
  await Promise.all(open)
  return { latencies, statuses }
}

async function measured(shop: Shop, n: number, latencies: number[], statuses: number[]) {
  const paths = ['/events?limit=1', `/events/${shop.eventId}`, `/events/${shop.eventId}/seats`]
  const started = performance.now()
  const { status } = await shop.get(paths[n % paths.length])
  latencies.push(performance.now() - started)
  statuses.push(status)
}

function percentile(values: number[], share: number) {
  const sorted = [...values].sort((one, other) => one - other)
  return sorted[Math.floor(sorted.length * share)]
}

interface Stranger {
  send: (client: Client) => Promise<unknown>
  /** The budget of its address. */
  perMinute: number
}

/** Unauthenticated requests of several kinds, a thousand of each from one address. */
async function queriesOfStrangers(product: Product, child: ChildProcess, checks: Checks) {
  const eventId = () => `evt_${randomBytes(13).toString('hex')}`
  const hex = () => randomBytes(20).toString('hex')
  const strangers: Record<string, Stranger> = {
    'unknown API keys': {
      perMinute: FAILURES_PER_MINUTE,
      send: (client) =>
        client.send({
          method: 'GET',
          uri: `${PREFIX}/events`,
          headers: { 'X-Api-Key': `pk_sandbox_${hex()}` },
        }),
    },
    'forged signatures of a known key': {
      perMinute: FAILURES_PER_MINUTE,
      send: (client) =>
        client.send({
          method: 'GET',
          uri: `${PREFIX}/events`,
          headers: { ...product.sign(product.partners.rival, { method: 'GET', uri: '/' }) },
        }),
    },
    'unknown gate keys': {
      perMinute: FAILURES_PER_MINUTE,
      send: (client) =>
        client.send({
          method: 'POST',
          uri: '/api/v1/gate/scans',
          body: '{}',
          headers: { 'X-Gate-Key': `gk_${randomBytes(32).toString('base64url')}` },
        }),
    },
    'public keys of unknown events': {
      perMinute: PUBLIC_READS_PER_MINUTE,
      send: (client) =>
        client.send({ method: 'GET', uri: `${PREFIX}/events/${eventId()}/jwks.json` }),
    },
  }
  const idle = await statementsDuring(product, () => delay(QUIET_MS))
  for (const [name, { send, perMinute }] of Object.entries(strangers)) {
    const client = new Client(product)
    const act = async () => {
      for (let n = 0; n < 50; n++)
        await Promise.all(Array.from({ length: AT_ONCE }, () => send(client)))
    }
    await expectFewStatements(product, checks, `1,000 ${name}`, { act, perMinute, idle })
    client.close()
  }
  const { port } = product
  const order = { port, requests: REQUESTS, perSecond: FASTEST_PER_SECOND, halfOpen: HALF_OPEN }
  const perMinute = FAILURES_PER_MINUTE
  const act = () => flood(child, order)
  await expectFewStatements(product, checks, '10,000 unsigned requests', { act, perMinute, idle })
}

/** What the web process sends to PostgreSQL in a flood from one address: the budget, and what it sends by itself meanwhile. */
async function expectFewStatements(
  product: Product,
  checks: Checks,
  what: string,
  { act, perMinute, idle }: { act: () => Promise<unknown>; perMinute: number; idle: string[] }
) {
  const started = performance.now()
  const sent = await statementsDuring(product, act)
  const elapsedMs = performance.now() - started
  const budget = Math.ceil(elapsedMs / MINUTE_MS) * perMinute + AT_ONCE
  // One more a second, because counts of answers are written every five seconds.
  const own = Math.ceil((elapsedMs / QUIET_MS) * (idle.length + 1))
  checks.expect(
    sent.length <= budget + own,
    `${what} from one address cost no statement once its budget of ${perMinute} is spent`,
    `${sent.length} statements in ${Math.round(elapsedMs)} ms, ${idle.length} in a quiet second`
  )
}

/** Reset connections must not occupy slots of other clients. */
async function abortedRequests(product: Product, checks: Checks) {
  const { ownerDatabaseUrl, port, partners, sign, events } = product
  const database = new pg.Client({ connectionString: ownerDatabaseUrl })
  await database.connect()
  const setCap = (cap: number) =>
    database.query(`UPDATE partners SET requests_in_flight = $1 WHERE code = 'rival'`, [cap])
  const { rows } = await database.query<{ cap: number }>(
    `SELECT requests_in_flight AS cap FROM partners WHERE code = 'rival'`
  )
  await setCap(IN_FLIGHT)
  const shop = new Shop(product, 'rival')
  const uris = [`${PREFIX}/events`, `${PREFIX}/events/${events.arena}/seats`]
  for (let round = 0; round < ABORT_ROUNDS; round++) {
    const uri = uris[round % uris.length]
    const headers = Object.entries(sign(partners.rival, { method: 'GET', uri }))
    const head = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')
    const bytes = `GET ${uri} HTTP/1.1\r\nHost: 127.0.0.1\r\n${head}\r\n`
    // From half a millisecond upwards, so that clients disconnect at every stage of the work.
    const afterMs = 0.5 + round
    await Promise.all(Array.from({ length: IN_FLIGHT }, () => sendAndReset(port, bytes, afterMs)))
    await delay(RESET_SEEN_MS)
    const next = await Promise.all(
      Array.from({ length: IN_FLIGHT }, () => shop.get('/events?limit=1'))
    )
    const statuses = next.map(({ status }) => status)
    checks.expect(
      statuses.every((status) => status === 200),
      `${IN_FLIGHT} requests reset after ${afterMs} ms leave room for ${IN_FLIGHT} others`,
      statuses.join()
    )
  }
  await setCap(rows[0].cap)
  await database.end()
  shop.close()
}

async function sendAndReset(port: number, bytes: string, afterMs: number) {
  const socket = connect({ host: '127.0.0.1', port })
  socket.on('error', () => {})
  await once(socket, 'connect')
  await new Promise<void>((resolve) => socket.write(bytes, () => resolve()))
  const until = performance.now() + afterMs
  // A timer is not as exact as half a millisecond.
  while (performance.now() < until) await new Promise((resolve) => setImmediate(resolve))
  socket.resetAndDestroy()
}

export default floods
