import { DAY_MS, dayNumber, dayStart } from '#shared/days'
import { measureSkew } from '#defects/facts/clock_skew'
import type { PartnerFacts } from '#defects/facts/facts'
import { delaysBefore } from '#defects/facts/partner_clock'
import { listTerms, type TermsRow } from '#ledger/terms'
import { statement } from '#shared/statement'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

const selectDelays = statement<
  { at: number; delaysMs: number[] },
  { partnerId: number; firstDay: Date; lastDay: Date; asOf: Date }
>(
  'settlement_clock_delays_of_days',
  `SELECT extract(epoch FROM d.at)::float8 * 1000 AS at,
          ARRAY(${delaysBefore(`least(d.at + interval '1 day', :asOf)`)}) AS "delaysMs"
     FROM generate_series(:firstDay::timestamptz, :lastDay::timestamptz, interval '1 day') AS d (at)`
)

// Of any event that the partner was ever granted: seats of one order by the dearest price. Without any price, the highest that a
// seat may have.
const selectDearestOrder = statement<{ tenge: bigint }, { partnerId: number }>(
  'settlement_dearest_order',
  `SELECT coalesce(nullif(max(p.price_tenge * e.max_seats_per_booking), 0), 1000000000)::bigint AS tenge
     FROM event_grants g JOIN events e ON e.id = g.event_id JOIN event_prices p ON p.event_id = e.id
    WHERE g.partner_id = :partnerId`
)

/**
 * What the rules need about a partner, per venues' day: the terms of that day, and its clock as measured by the last requests of
 * that day, so that a past day is judged alike at any later time.
 */
export class PartnerFactsByDay {
  /** day number → facts; terms begin at midnight, so a day has one version of them. */
  readonly #known = new Map<number, PartnerFacts>()

  private constructor(
    private readonly partnerId: number,
    private readonly asOf: Date,
    private readonly terms: TermsRow[],
    private readonly dearestOrderTenge: bigint,
    private readonly trx: TransactionClientContract
  ) {}

  static async of(partnerId: number, asOf: Date, trx: TransactionClientContract) {
    const terms = await listTerms({ partnerId }, trx)
    const dearest = await selectDearestOrder.one({ partnerId }, trx)
    return new PartnerFactsByDay(partnerId, asOf, terms, dearest.tenge, trx)
  }

  /** The longest refund deadline of any terms, in days. */
  get longestRefundDays() {
    return Math.max(...this.terms.map(({ refundEvidenceDays }) => refundEvidenceDays))
  }

  /** Measures all days of [from, to) at once: the connection takes no other query while rows are streamed. */
  async measure({ from, to }: { from: Date; to: Date }) {
    const last = new Date(Math.min(to.getTime(), this.asOf.getTime() + DAY_MS) - 1)
    const { partnerId, asOf } = this
    const days = await selectDelays(
      { partnerId, firstDay: dayStart(from), lastDay: dayStart(last), asOf },
      this.trx
    )
    for (const { at, delaysMs } of days)
      this.#known.set(dayNumber(at), { ...this.#termsAt(at), skewMs: measureSkew(delaysMs) })
  }

  /** Undefined until the day of the moment is measured. */
  known = (moment: number) => this.#known.get(dayNumber(moment))

  async at(moment: number): Promise<PartnerFacts> {
    const from = dayStart(new Date(moment))
    if (!this.known(moment)) await this.measure({ from, to: new Date(from.getTime() + DAY_MS) })
    return this.known(moment) ?? { ...this.#termsAt(moment), skewMs: 0 }
  }

  /** `terms` has the newest first. */
  #termsAt(moment: number) {
    const held = this.terms.find(({ validFrom }) => validFrom.getTime() <= moment)
    const { allowsCombinedPayments, refundEvidenceDays } = held ?? this.terms.at(-1)!
    const { dearestOrderTenge } = this
    return { allowsCombinedPayments, refundEvidenceDays, dearestOrderTenge }
  }
}
