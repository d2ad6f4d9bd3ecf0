import { ORDINARY_PAYMENT_ID, QUICK_SHARE } from '#defects/facts/ordinary_orders'
import { isPlaceholder } from '#defects/facts/placeholder_ids'
import { judgeCase } from '#defects/rule_sets/judge_case'
import { RULE_SETS } from '#defects/rule_sets/rule_sets'
import { test } from '@japa/runner'
import { HOUR, NOON, paid, SECOND, story, unpaid } from './stories.js'

const PLACEHOLDERS = `0|000000000000|test|TEST|тест|null|None|undefined|n/a|NA|-|----------|x|XXXXXXXXXX|1|1111111111|1234|12345|123456`

test.group('Ordinary orders', () => {
  test('are slow and off by a clock for no rule set', ({ assert }) => {
    for (const { thresholds } of RULE_SETS) {
      assert.isAbove(thresholds.slowShare, QUICK_SHARE)
      assert.isAtLeast(thresholds.skewAllowanceMs, 0)
    }
  })

  test('have no finding at their limits, by any rule set', ({ assert }) => {
    const end = NOON + 300 * SECOND
    const quick = QUICK_SHARE * (end - NOON)
    const orders = [
      paid({}, { paidAt: NOON, paidAtRaw: '2026-09-18T19:40:00+05:00' }),
      paid({}, { paidAtRaw: '2026-09-18T14:40:05Z' }),
      paid({}, { receivedAt: NOON + 5 * SECOND + quick }),
      paid(
        {},
        { paidAt: end - SECOND, receivedAt: end - 1, paidAtRaw: '2026-09-18T19:44:59+05:00' }
      ),
      unpaid(),
      unpaid({ status: 'cancelled' }),
    ]
    for (const ruleSet of RULE_SETS)
      for (const [n, order] of orders.entries())
        for (const skewMs of [-300 * SECOND, 0, 300 * SECOND]) {
          const { eventCancelledAt } = order
          for (const cancelledAt of [eventCancelledAt, NOON + HOUR]) {
            const facts = story([{ ...order, eventCancelledAt: cancelledAt }], { skewMs })
            assert.isNull(judgeCase(facts, ruleSet), `order ${n}, skew ${skewMs}`)
          }
        }
  })

  test('have no placeholder for a payment, however it is spelled', ({ assert }) => {
    const { leastLength, pattern } = ORDINARY_PAYMENT_ID
    const isOrdinary = (id: string) => id.length >= leastLength && new RegExp(pattern).test(id)
    assert.isTrue(isOrdinary('pay-000000001234'))
    for (const id of PLACEHOLDERS.split('|'))
      for (const spelled of [id, `     ${id}     `, `\t\n${id}\u00A0`]) {
        assert.isTrue(isPlaceholder(spelled), spelled)
        assert.isFalse(isOrdinary(spelled), spelled)
      }
  })
})
