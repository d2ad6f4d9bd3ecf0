import { DAY_MS, localDay } from '#shared/days'
import { feedSlots, type Gap } from '#defects/conduct/feed_gaps'
import { addTally, noTally, type Tally } from '#defects/facts/partner_tally'
import { milliseconds } from '#defects/facts/read_facts'
import { statement } from '#shared/statement'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'

type Day = {
  /** Midnight at the venues. */
  at: Date
  tally: Tally | null
  requests: number
  conflicts: number
  pendingLimited: number
  rateLimited: number
}

const MIDNIGHT = `(d.day::timestamp - interval '5 hours') AT TIME ZONE 'UTC'`
const answered = (code: string) =>
  `coalesce(sum(r.count) FILTER (WHERE r.code = '${code}'), 0)::float8`

/** The code under which `partner_answers` counts every request. */
const ALL_REQUESTS = ''

// Every day of the range, also those without any request.
const selectDays = statement<Day, { partnerId: number; firstDay: string; endDay: string }>(
  'settlement_partner_days',
  `SELECT ${MIDNIGHT} AS at, t.tally, ${answered(ALL_REQUESTS)} AS requests, ${answered('IDEMPOTENCY_CONFLICT')} AS conflicts,
          ${answered('PENDING_LIMIT_EXCEEDED')} AS "pendingLimited", ${answered('RATE_LIMIT_EXCEEDED')} AS "rateLimited"
     FROM (SELECT day::date FROM generate_series(:firstDay::date, :endDay::date - 1, interval '1 day') AS day) d
     LEFT JOIN settlement_partner_days t ON t.partner_id = :partnerId AND t.day = d.day
     LEFT JOIN partner_answers r ON r.partner_id = :partnerId AND r.day = d.day
    GROUP BY d.day, t.tally ORDER BY d.day`
)

// The time since the last read is a gap, too.
const selectGaps = statement<
  { begin: number; end: number },
  { partnerId: number; from: Date; to: Date }
>(
  'settlement_feed_gaps',
  `SELECT ${milliseconds('from_at')} AS begin, ${milliseconds('to_at')} AS end FROM feed_gaps
    WHERE partner_id = :partnerId AND to_at > :from AND from_at < :to
   UNION ALL
   SELECT ${milliseconds('read_at')}, ${milliseconds('now()')} FROM feed_reads WHERE partner_id = :partnerId AND read_at < :to`
)
const selectFeedFrom = statement<{ at: number | null; hasRead: boolean }, { partnerId: number }>(
  'settlement_feed_from',
  `SELECT ${milliseconds('min(created_at)')} AS at, EXISTS (SELECT 1 FROM feed_reads WHERE partner_id = :partnerId) AS "hasRead"
     FROM event_grants WHERE partner_id = :partnerId`
)

/** How a partner used the API and the change feed, in a day or a month. */
export interface Conduct {
  tally: Tally
  requests: number
  conflicts: number
  pendingLimited: number
  rateLimited: number
  /** Slots of five minutes in which it had to read the change feed, and those in which it did not. */
  feedSlots: number
  feedMissed: number
}

export interface ConductOfDays {
  /** The sum of all days. */
  total: Conduct
  days: Conduct[]
}

/** A partner's conduct in [from, to), which are midnights at the venues. */
export async function readConduct(
  partnerId: number,
  { from, to }: { from: Date; to: Date },
  asOf: Date,
  client?: QueryClientContract
): Promise<ConductOfDays> {
  const days = await selectDays(
    { partnerId, firstDay: localDay(from), endDay: localDay(to) },
    client
  )
  const slots = await readSlots(partnerId, { from, to }, asOf, client)
  const each = days.map((day) =>
    conductOf([day], slots(day.at.getTime(), day.at.getTime() + DAY_MS))
  )
  return { days: each, total: conductOf(days, slots(from.getTime(), to.getTime())) }
}

async function readSlots(
  partnerId: number,
  { from, to }: { from: Date; to: Date },
  asOf: Date,
  client?: QueryClientContract
) {
  const found = await selectGaps({ partnerId, from, to }, client)
  const since = await selectFeedFrom.one({ partnerId }, client)
  const gaps: Gap[] = found.map(({ begin, end }) => [begin, end])
  if (since.at !== null && !since.hasRead) gaps.push([since.at, asOf.getTime()])
  return (begin: number, end: number) => {
    if (since.at === null) return { feedSlots: 0, feedMissed: 0 }
    const first = Math.max(begin, since.at)
    return feedSlots(first, Math.max(first, Math.min(end, asOf.getTime())), gaps)
  }
}

function conductOf(days: Day[], slots: { feedSlots: number; feedMissed: number }): Conduct {
  const tally = noTally()
  for (const day of days) if (day.tally) addTally(tally, day.tally)
  const sum = (of: (day: Day) => number) => days.reduce((total, day) => total + of(day), 0)
  return {
    tally,
    ...slots,
    requests: sum(({ requests }) => requests),
    conflicts: sum(({ conflicts }) => conflicts),
    pendingLimited: sum(({ pendingLimited }) => pendingLimited),
    rateLimited: sum(({ rateLimited }) => rateLimited),
  }
}
