import type { Scorecard, ScorecardFigure } from '#finance/settlement/settlement_props'
import { localDay } from '#shared/days'
import { refuse } from '#shared/refusals'
import { statement } from '#shared/statement'

// Measures that need attention come first; equal verdicts are ordered by code.
const selectFigures = statement<
  ScorecardFigure & { checkedAt: Date; ruleSetVersion: number },
  { partnerId: number; month: string }
>(
  'back_office_scorecard',
  `SELECT code, value, sample, lower_bound AS "lowerBound", own_median AS "ownMedian", all_median AS "allMedian", verdict,
          checked_at AS "checkedAt", rule_set_version AS "ruleSetVersion"
     FROM settlement_partner_findings WHERE partner_id = :partnerId AND month = :month::date
    ORDER BY array_position(ARRAY['high', 'unusual', 'fine', 'few'], verdict), code`
)

const MONTH = /^20\d\d-(0[1-9]|1[0-2])$/

export const thisMonth = () => localDay(new Date()).slice(0, 7)

/** The measures of a partner's month (`2026-11`), as they were last counted. Refuses NO_SUCH for anything but a month. */
export async function readScorecard(partnerId: number, month: string): Promise<Scorecard> {
  if (!MONTH.test(month)) refuse('NO_SUCH', { what: 'month' })
  const found = await selectFigures({ partnerId, month: `${month}-01` })
  const figures = found.map(({ checkedAt: _at, ruleSetVersion: _version, ...one }) => one)
  return { month, checkedAt: found.at(0)?.checkedAt.toISOString() ?? null, figures }
}
