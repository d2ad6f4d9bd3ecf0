import CheckPeriod from '#defects/cases/check_period'
import type { RunParams } from '#runs/run_params'
import { askFor, performRun, runRow } from '#tests/support/runs'
import type { TestPartner } from '#tests/support/fixtures'
import { aSale, paymentOf } from '#tests/support/fixtures'
import { confirm } from '#tests/support/operations'
import { one } from '#tests/support/rows'
import { aDifferingMonth } from '#tests/support/rule_sets'
import { moveInTime } from '#tests/support/settlement'
import { test } from '@japa/runner'

const DAY_MS = 86_400_000
const day = (back: number) => new Date(Date.now() - back * DAY_MS).toISOString()

async function compare(partner: TestPartner, asked: Partial<RunParams['compare_rules']> = {}) {
  const { runId } = await askFor(partner, 'compare_rules', {
    candidate: 2,
    base: 1,
    from: day(32),
    to: day(28),
    partnerCodes: [partner.code],
    ...asked,
  })
  await performRun(runId)
  return runRow(runId)
}

test.group('Comparing rule sets in a run', () => {
  test('differences are reported with money as text and links to their orders', async ({
    assert,
  }) => {
    const { partner, early } = await aDifferingMonth()
    await new CheckPeriod().handle({
      partnerId: partner.id,
      from: new Date(day(32)),
      to: new Date(day(28)),
    })
    const { id } = await one('SELECT id FROM settlement_cases WHERE key = ?', early)
    const { state, result } = await compare(partner)
    assert.equal(state, 'succeeded')
    assert.containsSubset(result, {
      base: 1,
      candidate: 2,
      orders: 3,
      differing: 1,
      before: { cases: 2, buyerTenge: '12000', platformTenge: '0' },
      after: { cases: 2, buyerTenge: '12000', platformTenge: '0' },
      partners: [{ partner: partner.code, orders: 3 }],
    })
    assert.containsSubset(result!.cases, [
      {
        key: early,
        caseId: id,
        orderId: early,
        partner: partner.code,
        before: { severity: 'MEDIUM' },
        after: { severity: 'INFO', exposure: { buyer: '0', platform: '0', partner: '0' } },
      },
    ])
    assert.match(result!.from as string, /^\d{4}-\d\d-\d\dT.*Z$/)
  })

  test('a difference without a case links to its order; the active set may be compared with itself', async ({
    assert,
  }) => {
    const { partner, early } = await aDifferingMonth()
    const { result } = await compare(partner, { base: null })
    assert.equal(result!.base, 1)
    assert.containsSubset(result!.cases, [{ caseId: null, orderId: early }])
  })

  test('a month that is not over, an unknown version and an unknown partner are refused', async ({
    assert,
  }) => {
    const { partner } = await aSale()
    const codeOf = async (asked: Partial<RunParams['compare_rules']>) => {
      const { state, error } = await compare(partner, asked)
      return [state, error!.code]
    }
    assert.deepEqual(await codeOf({ to: day(-1) }), ['failed', 'INVALID_PARAMETERS'])
    assert.deepEqual(await codeOf({ candidate: 99 }), ['failed', 'NO_SUCH'])
    assert.deepEqual(await codeOf({ partnerCodes: ['nobody'] }), ['failed', 'NO_SUCH'])
  })

  test('payments of unknown orders are reported with their partner', async ({ assert }) => {
    const { client, partner } = await aSale()
    await confirm(client, 'TIX-2026-999999999', paymentOf(7_000))
    await moveInTime(partner, '-30 days')
    const { result } = await compare(partner)
    assert.containsSubset(result, {
      before: { cases: 1, buyerTenge: '7000' },
      partners: [{ partner: partner.code, orders: 0, before: { cases: 1 } }],
    })
  })
})
