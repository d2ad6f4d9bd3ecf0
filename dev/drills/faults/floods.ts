import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { signedRequest } from '../../../bench/generator/signed_request.ts'
import { seen } from '../drill_report.ts'
import { query, queryOne } from '../query.ts'
import { exchange } from './exchange.ts'
import type { Faulty } from './faults_drill.ts'
import { FloodConnections } from './flood_connections.ts'
import type { ReadTimes, SignedReads } from './signed_reads.ts'

const SLOW = 500
const SLOW_BYTE_EVERY_MS = 1_000
const IDLE = 5_000
/** How many of the connections must be open all the time: one may be lost at any moment. */
const MOST_KEPT = 0.99
const UNSIGNED = 10_000
/** Unsigned requests at once. */
const STRANGERS = 20
const MEASURED_MS = 20_000
const MOST_TIMES_SLOWER = 2
/** Of FAILED_AUTH_PER_MINUTE: what strangers at one address may cost in queries. */
const FAILURES_PER_MINUTE = 30

const CALLS = `
  SELECT coalesce(sum(calls), 0)::int AS calls FROM pg_stat_statements
   WHERE query LIKE '%FROM partner_keys k JOIN partners p%' AND query LIKE '%k.api_key = $1%'`

/** Connections and requests of strangers while a partner reads. */
export async function floods({ report, site }: Faulty) {
  const [port] = site.ports
  const request = signedRequest(site.buyer, 'GET', '/events')
  await query(site.databaseUrl, 'CREATE EXTENSION IF NOT EXISTS pg_stat_statements')
  const queries = async () => {
    const { calls } = await queryOne<{ calls: number }>(site.databaseUrl, CALLS)
    return calls
  }
  const mustHold = `${SLOW} connections that send a byte a second, ${IDLE} idle ones and ${UNSIGNED} unsigned requests: signed p95 within ${MOST_TIMES_SLOWER} × of alone`
  let spent = 0
  await report.check(mustHold, async () => {
    const alone = await measureSigned(port, request)
    const [slow, idle] = [new FloodConnections(port), new FloodConnections(port)]
    let isOver = false
    try {
      const dripping = slow.drip(SLOW, SLOW_BYTE_EVERY_MS, () => isOver)
      await idle.openIdle(IDLE)
      const before = await queries()
      const [during, answers] = await Promise.all([
        measureSigned(port, request),
        sendUnsigned(port),
      ])
      const kept = [slow.fewestDripping, idle.open]
      spent = (await queries()) - before - during.count
      isOver = true
      await dripping
      const kinds = [...answers].map(([status, count]) => `${count} × ${status}`).join(', ')
      const times = during.p95 / alone.p95
      const unread = [...alone.others, ...during.others].map((status) => `, signed read ${status}`)
      const text = `p95 ${alone.p95.toFixed(0)} ms alone, ${during.p95.toFixed(0)} ms during (${times.toFixed(1)} ×), with at least ${kept[0]} slow and ${kept[1]} idle connections; strangers were answered ${kinds}${unread.join('')}`
      const isRefused = [...answers.keys()].every((status) => ['401', '429'].includes(status))
      const areKept = kept[0] >= SLOW * MOST_KEPT && kept[1] >= IDLE * MOST_KEPT
      return seen(text, times <= MOST_TIMES_SLOWER && areKept && isRefused && unread.length === 0)
    } finally {
      isOver = true
      slow.close()
      idle.close()
    }
  })
  await report.check(
    `unsigned requests cost no query, but for the ${FAILURES_PER_MINUTE} failures a minute that an address has`,
    // Each signed read costs one: fewer than none mean that another statement looks keys up now.
    async () =>
      seen(
        `${spent} queries for ${UNSIGNED} requests`,
        spent >= 0 && spent <= 2 * FAILURES_PER_MINUTE
      )
  )
}

/** Times of answers to signed reads. */
async function measureSigned(port: number, request: string) {
  const workerData: SignedReads = { port, request, ms: MEASURED_MS }
  const reads = new Worker(new URL('signed_reads.ts', import.meta.url), { workerData })
  const [times] = (await once(reads, 'message')) as [ReadTimes]
  return times
}

/** Evenly, at a pace that fills the time of the measurement. */
async function sendUnsigned(port: number) {
  const answers = new Map<string, number>()
  let sent = 0
  const pauseMs = (MEASURED_MS * STRANGERS) / UNSIGNED
  const stranger = async (index: number) => {
    await delay((pauseMs * index) / STRANGERS)
    while (sent < UNSIGNED) {
      sent++
      const key = `pk_sandbox_${randomBytes(16).toString('hex')}`
      const head = `GET /api/v1/partners/events HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${key}\r\n`
      const status = await exchange(port, `${head}X-Timestamp: 1\r\n\r\n`)
      answers.set(status, (answers.get(status) ?? 0) + 1)
      await delay(pauseMs)
    }
  }
  await Promise.all(Array.from({ length: STRANGERS }, (_, index) => stranger(index)))
  return answers
}
