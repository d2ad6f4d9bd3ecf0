import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../paths.ts'
import { poll } from '../../poll.ts'
import { type DrillReport, seen } from '../drill_report.ts'
import { query } from '../query.ts'
import type { Buyer, Buyers } from './buyers.ts'
import { judgeExchanges, type StoredTicket } from './judge_exchanges.ts'

/** Each request and answer of the last drill. */
const EXCHANGES = join(root, 'tmp/drill_exchanges.jsonl')
/** A killed worker's lease of an endpoint is 45 seconds; then another one sends. */
const WEBHOOKS_WITHIN_MS = 75_000
const EXPIRY = 'booking_expired'
const LINES_AT_ONCE = 1_000

const listed = (problems: string[]) => problems.slice(0, 5).join(', ')

/** The tickets of an event as PostgreSQL has them. */
export const storedTickets = (databaseUrl: string, eventId: string) =>
  query<StoredTicket>(
    databaseUrl,
    `SELECT t.order_id, o.stored_status AS order_status, t.number, s.space_id, t.status
       FROM tickets t JOIN orders o ON o.id = t.order_id JOIN event_seats s ON s.id = t.event_seat_id
      WHERE t.event_id = $1`,
    [eventId]
  )

/** Lets the buyers finish, and adds rows for what they were answered against what is stored. */
export async function reportVerdict(
  report: DrillReport,
  buyers: Buyers,
  { databaseUrl, buyer }: { databaseUrl: string; buyer: Buyer }
) {
  await report.check('every request is answered in the end', async () => {
    await buyers.stop()
    const { length } = buyers.unanswered
    return seen(`${length} unanswered of ${buyers.exchanges.length}`, length === 0)
  })
  writeFileSync(EXCHANGES, '')
  // All of them may be longer than a string can be.
  for (let from = 0; from < buyers.exchanges.length; from += LINES_AT_ONCE) {
    const some = buyers.exchanges.slice(from, from + LINES_AT_ONCE)
    appendFileSync(EXCHANGES, some.map((each) => `${JSON.stringify(each)}\n`).join(''))
  }
  const stored = await storedTickets(databaseUrl, buyer.eventId)
  const verdict = judgeExchanges(buyers.exchanges, stored)
  const none = (mustHold: string, problems: string[], text: string) =>
    report.check(mustHold, async () =>
      seen(problems.length === 0 ? text : `${text}: ${listed(problems)}`, problems.length === 0)
    )
  const { lost, soldTwice, unexpected, differing } = verdict
  await none(
    'answered sales and refunds lost: 0',
    lost,
    `${lost.length} of ${verdict.answeredSales}; ${verdict.refunded} were refunded`
  )
  await none('seats sold twice: 0', soldTwice, `${soldTwice.length} of ${stored.length}`)
  await none(
    'other answers than 503 with Retry-After or a broken connection: 0',
    unexpected,
    `${unexpected.length} kinds; 503 with Retry-After ${verdict.refused}, broken connections ${verdict.broken}`
  )
  await none(
    'repeats are answered the same',
    differing,
    `${differing.length} of ${verdict.repeats} repeats differ`
  )
}

/** Every hold that was answered has ended, and its partner must have been notified of it. */
export async function reportWebhooks(
  report: DrillReport,
  buyers: Buyers,
  received: { headers: any; json: any }[]
) {
  await report.check('webhooks lost: 0', async () => {
    const held = new Set(
      buyers.exchanges
        .filter(({ partner, data }) => partner === 'brisk' && data)
        .map(({ data }) => data.booking_id as string)
    )
    const expiries = () => received.filter(({ headers }) => headers['x-webhook-event'] === EXPIRY)
    const missing = () => {
      const notified = new Set(expiries().map(({ json }) => json.booking_id))
      return [...held].filter((booking) => !notified.has(booking))
    }
    await poll(() => missing().length === 0, { withinMs: WEBHOOKS_WITHIN_MS, everyMs: 250 })
    const lost = missing()
    const byBooking = Map.groupBy(expiries(), ({ json }) => json.booking_id)
    const renamed = [...byBooking.values()].filter(
      (each) => new Set(each.map(({ headers }) => headers['x-webhook-id'])).size > 1
    )
    const again = expiries().length - byBooking.size
    const text = `${lost.length} of ${held.size}; ${again} sent again, ${renamed.length} of them under another id`
    return seen(text, held.size > 0 && lost.length === 0 && renamed.length === 0)
  })
}
