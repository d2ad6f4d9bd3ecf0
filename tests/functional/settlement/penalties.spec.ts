import AskForPenalty from '#settlement/actions/ask_for_penalty'
import { ApproveMemo, DeclineMemo } from '#settlement/actions/memos'
import type { Refusal } from '#shared/refusals'
import { lateMoney, refresh } from '#tests/support/cases'
import { TESTER } from '#tests/support/fixtures'
import { one } from '#tests/support/rows'
import { movementsOf, setTerms } from '#tests/support/settlement'
import { test } from '@japa/runner'

const OTHER = { kind: 'console', name: 'somebody else', requestId: null } as const
const ask = (caseId: number) =>
  new AskForPenalty().handle({ caseId, reason: 'Пункт 7.2 договора', actor: TESTER })
const codeOf = (refused: Promise<unknown>) =>
  refused.then(
    () => 'no refusal',
    (error: unknown) => (error as Refusal).refusalCode
  )

async function aCase(penaltyTenge: bigint) {
  const sale = await lateMoney()
  await setTerms(sale.partner, { penaltyTenge })
  await refresh(sale.partner)
  const { id } = await one('SELECT id FROM settlement_cases WHERE key = ?', sale.orderId)
  return { ...sale, caseId: id as number }
}

test.group('Penalties', () => {
  test('one a case, by the terms, evidenced by the case', async ({ assert }) => {
    const { caseId, partner } = await aCase(5_000n)
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => codeOf(ask(caseId))))
    assert.deepEqual(outcomes.toSorted(), [
      ...Array.from({ length: 4 }, () => 'ALREADY_EXISTS'),
      'no refusal',
    ])
    const moved = await movementsOf(partner)
    assert.deepEqual(
      moved.map(({ kind, tenge }) => [kind, tenge]),
      [['penalty', '5000']]
    )
    const memo = await one('SELECT * FROM settlement_memos WHERE origin_case_id = ?', caseId)
    assert.equal(memo.outcome, 'approved')
  })

  test('above the limit it waits for another person, and may be asked for again once declined', async ({
    assert,
  }) => {
    const { caseId, partner } = await aCase(100_001n)
    const { memoId, isApproved } = await ask(caseId)
    assert.isFalse(isApproved)
    assert.equal(await codeOf(ask(caseId)), 'ALREADY_EXISTS')
    assert.equal(await codeOf(new ApproveMemo().handle({ memoId, actor: TESTER })), 'OWN_REQUEST')
    await new DeclineMemo().handle({ memoId, note: 'Сбой был у нас', actor: OTHER })
    assert.deepEqual(await movementsOf(partner), [])
    const again = await ask(caseId)
    await new ApproveMemo().handle({ memoId: again.memoId, actor: OTHER })
    assert.lengthOf(await movementsOf(partner), 1)
  })

  test('none without terms that have one, and none for what is not there', async ({ assert }) => {
    const { caseId } = await aCase(0n)
    assert.equal(await codeOf(ask(caseId)), 'NO_PENALTY')
    assert.equal(await codeOf(ask(999_999_999)), 'NO_SUCH')
  })
})
