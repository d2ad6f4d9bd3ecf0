import { ORDINARY_PAYMENT_ID, QUICK_SHARE } from '#defects/facts/ordinary_orders'
import { isPlaceholder } from '#defects/facts/placeholder_ids'
import { RULE_SETS } from '#defects/rule_sets/rule_sets'
import { test } from '@japa/runner'

const PLACEHOLDERS = `0|000000000000|test|TEST|тест|null|None|undefined|n/a|NA|-|----------|x|XXXXXXXXXX|1|1111111111|1234|12345|123456`

test.group('Ordinary orders', () => {
  test('are slow and off by a clock for no rule set', ({ assert }) => {
    for (const { thresholds } of RULE_SETS) {
      assert.isAbove(thresholds.slowShare, QUICK_SHARE)
      assert.isAtLeast(thresholds.skewAllowanceMs, 0)
    }
  })

  test('have no placeholder for a payment, however it is spelled', ({ assert }) => {
    const isOrdinary = (id: string) =>
      ORDINARY_PAYMENT_ID.every((pattern) => new RegExp(pattern).test(id))
    assert.isTrue(isOrdinary('pay-000000001234'))
    for (const id of PLACEHOLDERS.split('|'))
      for (const spelled of [id, `     ${id}     `, `\t\n${id}\u00A0`]) {
        assert.isTrue(isPlaceholder(spelled), spelled)
        assert.isFalse(isOrdinary(spelled), spelled)
      }
  })
})
