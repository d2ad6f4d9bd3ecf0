import ActivateRuleSet from '#defects/rule_sets/activate_rule_set'
import CheckPeriod from '#defects/cases/check_period'
import { listRuleSets } from '#defects/rule_sets/active_rule_set'
import { compareRuleSets } from '#rule_comparisons/compare_rule_sets'
import type { Refusal } from '#shared/refusals'
import { aDifferingMonth } from '#tests/support/rule_sets'
import { aSale, TESTER, type TestPartner } from '#tests/support/fixtures'
import { one, ownerRows, rows } from '#tests/support/rows'
import { test } from '@japa/runner'

const codeOf = (refused: Promise<unknown>) =>
  refused.then(
    () => 'no refusal',
    (error: unknown) => (error as Refusal).refusalCode
  )
const DAY_MS = 86_400_000
const days = (back: number) => new Date(Date.now() - back * DAY_MS)
const nameOf = async ({ id }: TestPartner) => {
  const { name } = await one('SELECT name FROM partners WHERE id = ?', id)
  return name as string
}
const activate = (version: number, from: number) =>
  new ActivateRuleSet().handle({ version, from, reason: 'Сравнили за квартал', actor: TESTER })

test.group('Rule sets', () => {
  test('two rule sets are compared over a past period, and nothing is written', async ({
    assert,
  }) => {
    const { partner, early, orderId } = await aDifferingMonth()
    const progress: number[] = []
    const found = await compareRuleSets({
      partnerIds: [partner.id],
      from: days(32),
      to: days(28),
      candidate: 2,
      onProgress: ({ partnersDone }) => progress.push(partnersDone),
    })
    assert.deepEqual([found.base, found.candidate, found.orders], [1, 2, 3])
    const [codes] = [found.codes.map((one1) => [one1.code, one1.before, one1.after, one1.changed])]
    assert.deepInclude(codes, ['PAID_BEFORE_CREATED', 1, 1, 1])
    assert.deepInclude(codes, ['CONFIRM_ORDER_EXPIRED', 1, 1, 0])
    assert.equal(found.differing, 1)
    assert.deepEqual(
      found.cases.map(({ key, before, after }) => [key, before.severity, after.severity]),
      [[early, 'MEDIUM', 'INFO']]
    )
    assert.deepEqual([found.before.buyerTenge, found.after.buyerTenge], [12_000n, 12_000n])
    assert.deepEqual(
      found.partners.map(({ partner: code, partnerName, orders }) => [code, partnerName, orders]),
      [[partner.code, await nameOf(partner), 3]]
    )
    assert.deepEqual(progress, [1])
    const { n } = await one(
      'SELECT count(*)::int AS n FROM settlement_cases WHERE partner_id = ?',
      partner.id
    )
    assert.equal(n, 0)
    assert.isString(orderId)
  })

  test('a rule set differs in nothing from itself', async ({ assert }) => {
    const { partner } = await aDifferingMonth()
    const scope = { partnerIds: [partner.id], from: days(32), to: days(28) }
    const found = await compareRuleSets({ ...scope, candidate: 2, base: 2 })
    assert.equal(found.differing, 0)
    assert.isTrue(
      found.codes.every(({ added, removed, changed }) => added + removed + changed === 0)
    )
  })

  test('a current period, an unknown version and an aborted comparison are refused', async ({
    assert,
  }) => {
    const { partner } = await aSale()
    const scope = { partnerIds: [partner.id], from: days(3), to: days(1), candidate: 2 }
    assert.equal(await codeOf(compareRuleSets({ ...scope, candidate: 99 })), 'NO_SUCH')
    assert.equal(await codeOf(compareRuleSets({ ...scope, to: days(-1) })), 'INVALID_PARAMETERS')
    const signal = AbortSignal.abort()
    await assert.rejects(() => compareRuleSets({ ...scope, signal }), /abort/i)
  })

  test('a rule set is activated by a person who has seen the active one, and applies from then on', async ({
    assert,
    cleanup,
  }) => {
    cleanup(() => activate(1, 2))
    const { partner } = await aDifferingMonth()
    const outcomes = await Promise.all([codeOf(activate(2, 1)), codeOf(activate(2, 1))])
    assert.deepEqual(outcomes.toSorted(), ['STALE', 'no refusal'])
    assert.equal(await codeOf(activate(99, 2)), 'NO_SUCH')
    const [newest] = await listRuleSets()
    assert.include(newest, { version: 2, isActive: true })
    const { change } = await one(
      `SELECT change FROM journal WHERE name = 'rule_set_activated' ORDER BY id DESC LIMIT 1`
    )
    assert.include(change, { from: 1, to: 2 })
    await new CheckPeriod().handle({ partnerId: partner.id, from: days(32), to: days(28) })
    const found = await rows(
      `SELECT c.rule_set_version AS version, d.subclass, d.severity FROM settlement_cases c
         JOIN settlement_defects d ON d.case_id = c.id WHERE c.partner_id = ? AND d.code = 'PAID_BEFORE_CREATED'`,
      partner.id
    )
    assert.deepEqual(found, [{ version: 2, subclass: 'SKEW', severity: 'INFO' }])
    await assert.rejects(() => ownerRows(`UPDATE settlement_rule_sets SET version = 1`))
  })
})
