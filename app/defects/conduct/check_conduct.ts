import { DAY_MS, localDay } from '#shared/days'
import { judgePartner, type PartnerFinding } from '#defects/conduct/judge_partner'
import type { RuleSet } from '#defects/rule_sets/rule_sets'
import { periodAround, type Period } from '#ledger/periods'
import { readConduct } from '#defects/conduct/read_conduct'
import { readClock } from '#defects/facts/partner_clock'
import { allowLongQueries } from '#shared/long_queries'
import { statement } from '#shared/statement'
import { transaction } from '#shared/transaction'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

export interface CheckConductInput {
  partnerId: number
  /** Every month that overlaps [from, to) is checked. */
  from: Date
  to: Date
  asOf: Date
  ruleSet: RuleSet
  signal?: AbortSignal
}

const DAYS_BEFORE = 30

// Other partners with enough cases.
const selectMedians = statement<
  { code: string; median: number },
  { name: string; partnerId: number; fewest: number }
>(
  'settlement_partner_medians',
  `SELECT code, percentile_cont(0.5) WITHIN GROUP (ORDER BY value) AS median
     FROM settlement_partner_findings WHERE month = :name::date AND partner_id <> :partnerId AND sample >= :fewest GROUP BY code`
)
const upsertFindings = statement<
  object,
  { partnerId: number; name: string; version: number; asOf: Date; findings: string }
>(
  'settlement_partner_findings_upsert',
  `INSERT INTO settlement_partner_findings
     (partner_id, month, code, value, sample, lower_bound, own_median, all_median, verdict, rule_set_version, checked_at)
   SELECT :partnerId, :name::date, code, value, sample, lower_bound, own_median, all_median, verdict, :version, :asOf
     FROM jsonb_to_recordset(:findings::jsonb) AS found (code text, value float8, sample integer, lower_bound float8,
            own_median float8, all_median float8, verdict text)
   ON CONFLICT (partner_id, month, code) DO UPDATE SET
     value = excluded.value, sample = excluded.sample, lower_bound = excluded.lower_bound,
     own_median = excluded.own_median, all_median = excluded.all_median, verdict = excluded.verdict,
     rule_set_version = excluded.rule_set_version, checked_at = excluded.checked_at`
)

/** Checks a partner's conduct month by month, by the tallies of its days; stores the findings. */
export default class CheckConduct {
  async handle(input: CheckConductInput) {
    for (const month of monthsOf(input))
      await transaction((trx) => checkMonth(input, month, trx), input.signal)
  }
}

async function checkMonth(
  { partnerId, asOf, ruleSet }: CheckConductInput,
  month: Period,
  trx: TransactionClientContract
) {
  await allowLongQueries(trx)
  const { thresholds, version } = ruleSet
  const name = localDay(month.from)
  const before = { from: new Date(month.from.getTime() - DAYS_BEFORE * DAY_MS), to: month.from }
  const { total } = await readConduct(partnerId, month, asOf, trx)
  const { days } = await readConduct(partnerId, before, asOf, trx)
  const clock = await readClock(partnerId, month.to < asOf ? month.to : asOf, trx)
  const medians = await selectMedians({ name, partnerId, fewest: thresholds.fewest }, trx)
  const others = new Map(medians.map(({ code, median }) => [code, median]))
  const found = judgePartner({ month: total, before: days, clock, others }, thresholds)
  await upsertFindings(
    { partnerId, name, version, asOf, findings: JSON.stringify(found.map(toRow)) },
    trx
  )
}

const toRow = ({ code, value, sample, verdict, ...more }: PartnerFinding) => ({
  code,
  value,
  sample,
  verdict,
  lower_bound: more.lowerBound,
  own_median: more.ownMedian,
  all_median: more.allMedian,
})

/** Months up to now. */
function monthsOf({ from, to, asOf }: CheckConductInput): Period[] {
  const last = new Date(Math.min(to.getTime(), asOf.getTime() + 1))
  const months: Period[] = []
  for (let at = from; at < last; at = months.at(-1)!.to) months.push(periodAround(at, 'month'))
  return months
}
