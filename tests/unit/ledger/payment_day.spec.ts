import { assertPaymentDay, assertReference } from '#ledger/payment_day'
import type { Refusal } from '#shared/refusals'
import { test } from '@japa/runner'

const ruleOf = (act: () => void) => {
  try {
    act()
    return null
  } catch (error) {
    const { fields } = (error as Refusal).details as { fields: { rule: string }[] }
    return fields[0].rule
  }
}

/** 25 November 2026 at the venues, which are five hours ahead. */
const FIRST_MINUTE = new Date('2026-11-24T19:00:00Z')

test.group('The day of a payment', () => {
  test('today and the same day two years ago are accepted, a day more is not', ({ assert }) => {
    const rule = (day: string) => ruleOf(() => assertPaymentDay(day, FIRST_MINUTE))
    assert.isNull(rule('2026-11-25'))
    assert.equal(rule('2026-11-26'), 'not_future')
    assert.isNull(rule('2024-11-25'))
    assert.equal(rule('2024-11-24'), 'recent')
  })

  test('a reference has a letter or a digit', ({ assert }) => {
    for (const reference of ['7', 'ә', '№ 1'])
      assert.isNull(ruleOf(() => assertReference(reference)))
    for (const reference of ['', '№', ' - '])
      assert.equal(
        ruleOf(() => assertReference(reference)),
        'format'
      )
  })
})
