import ActivateRuleSet from '#defects/rule_sets/activate_rule_set'
import { activeRuleSet } from '#defects/rule_sets/active_rule_set'
import { latePayment } from '#tests/support/cases'
import { sell, TESTER } from '#tests/support/fixtures'
import { ownerRows } from '#tests/support/rows'
import { moveInTime } from '#tests/support/settlement'

/** Some weeks ago: one payment too late, one three seconds before its order, and one in good order. */
export async function aDifferingMonth(by = '-30 days') {
  const sale = await latePayment()
  const early = await sell(sale.client, sale.event.id, ['seat-2-2'])
  await sell(sale.client, sale.event.id, ['seat-2-3'])
  await ownerRows(
    `UPDATE orders SET payment_paid_at = created_at - interval '3 seconds', payment_paid_at_raw = '2026-01-01T00:00:00.000+05:00'
      WHERE id = ?`,
    early.order_id
  )
  await moveInTime(sale.partner, by)
  return { ...sale, early: early.order_id as string }
}

/** Whatever a test has left in force. */
export async function backToFirstRules() {
  const { version } = await activeRuleSet()
  const reason = 'Как было'
  await new ActivateRuleSet().handle({ version: 1, from: version, reason, actor: TESTER })
}
