import { DAY_MS, localDay, midnightOf } from '#shared/days'
import type { OrderFacts } from '#defects/facts/facts'
import type { SharedIds } from '#defects/facts/constant_ids'
import { addTally, countOrder, noTally, type Tally } from '#defects/facts/partner_tally'
import { allowLongQueries } from '#shared/long_queries'
import { ID_SLACK_MS, idAt } from '#shared/public_id'
import { statement } from '#shared/statement'
import { transaction } from '#shared/transaction'

interface Scope {
  partnerId: number
  from: Date
  to: Date
  signal?: AbortSignal
}

// Per event and by ids, which begin with the time: bookings have no index on created_at.
const countBookings = statement<
  { day: string; bookings: number; expired: number },
  { partnerId: number; from: Date; to: Date; firstId: string; endId: string }
>(
  'settlement_count_bookings',
  `SELECT (b.created_at AT TIME ZONE interval '5 hours')::date::text AS day, count(*)::int AS bookings,
          (count(*) FILTER (WHERE stored_status = 'expired' OR (stored_status = 'active' AND expires_at <= now())))::int AS expired
     FROM event_grants g JOIN bookings b
       ON b.event_id = g.event_id AND b.partner_id = g.partner_id AND b.id >= :firstId AND b.id < :endId
    WHERE g.partner_id = :partnerId AND b.created_at >= :from AND b.created_at < :to GROUP BY 1`
)
const upsertDays = statement<object, { partnerId: number; rows: string }>(
  'settlement_partner_days_upsert',
  `INSERT INTO settlement_partner_days (partner_id, day, tally)
   SELECT :partnerId, day, tally FROM jsonb_to_recordset(:rows::jsonb) AS counted (day date, tally jsonb)
   ON CONFLICT (partner_id, day) DO UPDATE SET tally = excluded.tally`
)

/** Counts a partner's orders per venues' day; saves only days that the period contains whole. */
export class DayTallies {
  readonly #days = new Map<string, Tally>()
  #last = { day: '', from: 0, until: 0 }

  constructor(private readonly scope: Scope) {}

  /** Orders arrive day by day, so the day of the last one is cached. */
  count = (order: OrderFacts, ids: SharedIds) => {
    const { createdAt } = order
    if (createdAt < this.#last.from || createdAt >= this.#last.until) {
      const day = localDay(new Date(createdAt))
      const from = midnightOf(day).getTime()
      this.#last = { day, from, until: from + DAY_MS }
    }
    countOrder(this.#of(this.#last.day), order, ids)
  }

  add = (day: string, counted: Tally) => addTally(this.#of(day), counted)

  #of(day: string) {
    const known = this.#days.get(day) ?? noTally()
    this.#days.set(day, known)
    return known
  }

  async save() {
    const { partnerId, from, to } = this.scope
    await transaction(async (trx) => {
      await allowLongQueries(trx)
      const firstId = idAt('bkg', from.getTime() - ID_SLACK_MS)
      const endId = idAt('bkg', to.getTime() + ID_SLACK_MS)
      const booked = await countBookings({ partnerId, from, to, firstId, endId }, trx)
      for (const { day, ...counted } of booked) {
        const tally = this.#of(day)
        tally.bookings = counted.bookings
        tally.bookingsExpired = counted.expired
      }
      const wholeDays = [...this.#days].filter(([day]) => this.#isWhole(day))
      const rows = wholeDays.map(([day, tally]) => ({ day, tally }))
      await upsertDays({ partnerId, rows: JSON.stringify(rows) }, trx)
    }, this.scope.signal)
  }

  #isWhole(day: string) {
    const begin = midnightOf(day).getTime()
    return begin >= this.scope.from.getTime() && begin + DAY_MS <= this.scope.to.getTime()
  }
}
