import {
  ApproveMemo,
  DeclineMemo,
  RequestMemo,
  ReverseMemo,
  type RequestMemoInput,
} from '#ledger/actions/memos'
import type { Refusal } from '#shared/refusals'
import { aPartner, aPerson, TESTER, type TestPartner } from '#tests/support/fixtures'
import { one, ownerRows, rows } from '#tests/support/rows'
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

  test('only an approved memo is taken back, and again after the reversal was declined', async ({
    assert,
  }) => {
    const partner = await aPartner()
    const decline = (memoId: number) =>
      new DeclineMemo().handle({ memoId, note: 'Не подтверждено', actor: TESTER })
    const reverse = (memoId: number) =>
      new ReverseMemo().handle({ memoId, reason: 'По ошибке', actor: aPerson() })
    const { memoId } = await ask(partner, { amountTenge: LIMIT + 1n })
    assert.equal(await codeOf(reverse(memoId)), 'NO_SUCH')
    const pastUs = () =>
      ownerRows(
        `INSERT INTO settlement_memos (partner_id, kind, amount_tenge, reason, asked_by, needs_second, reverses_id)
         SELECT partner_id, CASE kind WHEN 'adj_credit' THEN 'adj_debit' ELSE 'adj_credit' END, amount_tenge, 'why', 'a', true, id
           FROM settlement_memos WHERE id = ?`,
        memoId
      )
    await assert.rejects(pastUs, /is not reversed by this row/)
    const declined = await ask(partner, { amountTenge: LIMIT + 1n })
    await decline(declined.memoId)
    assert.equal(await codeOf(reverse(declined.memoId)), 'NO_SUCH')

    await new ApproveMemo().handle({ memoId, actor: OTHER })
    const first = await reverse(memoId)
    assert.equal(await codeOf(reverse(memoId)), 'ALREADY_EXISTS')
    await decline(first.memoId)
    assert.equal(await codeOf(reverse(memoId)), 'no refusal')
  })

  test('the journal says which memo was taken back', async ({ assert }) => {
    const partner = await aPartner()
    const { memoId } = await ask(partner)
    await new ReverseMemo().handle({ memoId, reason: 'По ошибке', actor: aPerson() })
    const [original, reversal] = await rows(
      `SELECT change ->> 'memo' AS memo, change ->> 'reverses' AS reverses FROM journal
        WHERE partner_id = ? AND name = 'memo_approved' ORDER BY id`,
      partner.id
    )
    assert.isNull(original.reverses)
    assert.equal(reversal.reverses, original.memo)
    assert.notEqual(reversal.memo, original.memo)
  })

  test('a small memo that two people made is taken back by two', async ({ assert }) => {
    const partner = await aPartner()
    const person = aPerson()
    await ask(partner, { amountTenge: LIMIT, actor: person })
    const { memoId, isApproved } = await ask(partner, { amountTenge: 1_000n, actor: person })
    assert.isFalse(isApproved)
    await new ApproveMemo().handle({ memoId, actor: OTHER })
    const back = await new ReverseMemo().handle({ memoId, reason: 'По ошибке', actor: aPerson() })
    assert.isFalse(back.isApproved)
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
