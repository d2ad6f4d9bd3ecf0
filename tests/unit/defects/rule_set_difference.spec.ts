import { judgeCase } from '#defects/rule_sets/judge_case'
import { RuleSetDifference } from '#rule_comparisons/rule_set_difference'
import { FIRST_RULE_SET, RULE_SETS, type RuleSet } from '#defects/rule_sets/rule_sets'
import { orderExpired } from '#defects/rules/refused_confirms'
import { test } from '@japa/runner'
import { expiredConfirm, NOON, paid, SECOND, story, unpaid } from './stories.js'

const without: RuleSet = {
  ...FIRST_RULE_SET,
  rules: FIRST_RULE_SET.rules.filter((rule) => rule !== orderExpired),
}
const early = story([
  paid({}, { paidAt: NOON - 3 * SECOND, precision: 'subsecond', paidAtRaw: '19:39:57.000+05:00' }),
])
const late = story([unpaid({ attempts: [expiredConfirm()] })])

test.group('Differences of two rule sets', () => {
  test('findings added, removed and changed are listed with their money', ({ assert }) => {
    const difference = new RuleSetDifference()
    const add = (key: string, facts: typeof late, before: RuleSet, after: RuleSet) =>
      difference.add(key, judgeCase(facts, before), judgeCase(facts, after))
    assert.isNull(add('same', late, FIRST_RULE_SET, FIRST_RULE_SET))
    const removed = add('removed', late, FIRST_RULE_SET, without)!
    // The money stays, under another name.
    assert.deepEqual(
      [removed.before.codes, removed.after.codes],
      [['CONFIRM_ORDER_EXPIRED'], ['LATE_MONEY_NOT_RETURNED']]
    )
    add('added', late, without, FIRST_RULE_SET)
    add('changed', early, FIRST_RULE_SET, RULE_SETS[1])
    const [expired, , before] = difference.codes
    assert.deepEqual(expired, {
      code: 'CONFIRM_ORDER_EXPIRED',
      before: 2,
      after: 2,
      added: 1,
      removed: 1,
      changed: 0,
      beforeTenge: 48_000n,
      afterTenge: 48_000n,
    })
    assert.include(before, { code: 'PAID_BEFORE_CREATED', before: 1, after: 1, changed: 1 })
    assert.deepEqual(
      [difference.before, difference.after],
      [
        { cases: 4, buyerTenge: 72_000n, platformTenge: 0n, partnerTenge: 0n },
        { cases: 4, buyerTenge: 72_000n, platformTenge: 0n, partnerTenge: 0n },
      ]
    )
  })

  test('versions are numbered without gaps or repeats', ({ assert }) => {
    assert.deepEqual(
      RULE_SETS.map(({ version }) => version),
      RULE_SETS.map((_, index) => index + 1)
    )
  })
})
