import { ApproveMemo, RequestMemo, DeclineMemo, type RequestMemoInput } from '#ledger/actions/memos'
import type { Refusal } from '#shared/refusals'
import { aPartner, aPerson, TESTER, type TestPartner } from '#tests/support/fixtures'
import { one } from '#tests/support/rows'
import { aClosableMonth, issueFor } from '#tests/support/mails'
import { movementsOf } from '#tests/support/settlement'
import { test } from '@japa/runner'

const LIMIT = 100_000n
const OTHER = { ...TESTER, name: 'somebody else' }

const ask = (partner: TestPartner, more: Partial<RequestMemoInput> = {}) =>
  new RequestMemo().handle({
    partnerCode: partner.code,
    kind: 'adj_credit',
    amountTenge: 5_000n,
    reason: 'Возврат мимо системы',
    origin: null,
    actor: aPerson(),
    ...more,
  })
const codeOf = (refused: Promise<unknown>) =>
  refused.then(
    () => 'no refusal',
    (error: unknown) => (error as Refusal).refusalCode
  )

test.group('Memos', () => {
  test('one person makes a memo up to the limit, with a number of its own', async ({ assert }) => {
    const partner = await aPartner()
    const { memoId, isApproved } = await ask(partner, { amountTenge: LIMIT })
    assert.isTrue(isApproved)
    const moved = await movementsOf(partner)
    assert.deepEqual(moved, [
      { kind: 'adj_credit', tenge: '-100000', tickets: 0, source: `memo:${memoId}` },
    ])
    const { number } = await one('SELECT number FROM settlement_memos WHERE id = ?', memoId)
    assert.isAbove(number as number, 0)
  })

  test('a memo above the limit moves money only after another person approves, once', async ({
    assert,
  }) => {
    const partner = await aPartner()
    const { memoId, isApproved } = await ask(partner, {
      kind: 'penalty',
      amountTenge: LIMIT + 1n,
      actor: TESTER,
    })
    assert.isFalse(isApproved)
    assert.deepEqual(await movementsOf(partner), [])
    const approve = (actor = OTHER) => codeOf(new ApproveMemo().handle({ memoId, actor }))
    assert.equal(await approve(TESTER), 'OWN_REQUEST')
    const outcomes = await Promise.all([approve(), approve(), approve()])
    assert.deepEqual(outcomes.toSorted(), ['REQUEST_NOT_OPEN', 'REQUEST_NOT_OPEN', 'no refusal'])
    const moved = await movementsOf(partner)
    assert.deepEqual(
      moved.map(({ kind, tenge }) => [kind, tenge]),
      [['penalty', '100001']]
    )
  })

  test('a declined memo moves no money and takes no number', async ({ assert }) => {
    const partner = await aPartner()
    const { memoId } = await ask(partner, { amountTenge: LIMIT + 1n })
    await new DeclineMemo().handle({ memoId, note: 'Не подтверждено', actor: TESTER })
    assert.deepEqual(await movementsOf(partner), [])
    const { number, outcome } = await one(
      'SELECT number, outcome FROM settlement_memos WHERE id = ?',
      memoId
    )
    assert.deepEqual([number, outcome], [null, 'declined'])
  })

  test('zero, negative amounts and another partner’s statement are refused', async ({ assert }) => {
    const partner = await aPartner()
    assert.equal(await codeOf(ask(partner, { amountTenge: 0n })), 'INVALID_PARAMETERS')
    assert.equal(await codeOf(ask(partner, { amountTenge: -5n })), 'INVALID_PARAMETERS')
    const origin = { statementId: 999_999, line: 1 }
    assert.equal(await codeOf(ask(partner, { origin })), 'NO_SUCH')
    const { partner: other } = await aClosableMonth()
    const { statementId } = await issueFor(other)
    const ofOther = { origin: { statementId, line: 1 } }
    assert.equal(await codeOf(ask(partner, ofOther)), 'NO_SUCH')
    assert.equal(await codeOf(ask(other, ofOther)), 'no refusal')
  })
})
