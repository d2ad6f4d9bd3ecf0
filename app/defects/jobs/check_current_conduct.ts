import CheckConduct from '#defects/conduct/check_conduct'
import { lastDays } from '#defects/jobs/check_partners'
import { activeRuleSet } from '#defects/rule_sets/active_rule_set'
import { statement } from '#shared/statement'

const selectCounted = statement<{ id: number }, { daysFrom: Date }>(
  'settlement_partners_counted',
  `SELECT id FROM partners p
    WHERE EXISTS (SELECT 1 FROM settlement_partner_days d WHERE d.partner_id = p.id AND d.day >= :daysFrom::date)
       OR EXISTS (SELECT 1 FROM partner_answers a WHERE a.partner_id = p.id AND a.day >= :daysFrom::date)
    ORDER BY id`
)

/** Checks this month's conduct of every partner with recent requests or orders. */
export default async function checkCurrentConduct(signal?: AbortSignal): Promise<void> {
  const days = lastDays()
  const ruleSet = await activeRuleSet()
  for (const { id: partnerId } of await selectCounted({ daysFrom: days.from }))
    await new CheckConduct().handle({
      partnerId,
      ...days,
      asOf: new Date(),
      ruleSet,
      signal,
    })
}
