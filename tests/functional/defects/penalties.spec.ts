import ChangeCase, { type CaseChange } from '#case_work/change_case'
import AskForPenalty from '#penalties/ask_for_penalty'
import { ApproveMemo, DeclineMemo, ReverseMemo } from '#ledger/actions/memos'
import type { Actor } from '#shared/actor'
import type { Refusal } from '#shared/refusals'
import { dataOf } from '#tests/support/answers'
import { latePayment, refreshDefects } from '#tests/support/cases'
import { lapseOrder } from '#tests/support/circumstances'
import { aPerson, aSale, book, order, paymentOf, TESTER } from '#tests/support/fixtures'
import { confirm } from '#tests/support/operations'
import { one, ownerOne, ownerRows } from '#tests/support/rows'
import { movementsOf, setTerms } from '#tests/support/settlement'
import { test } from '@japa/runner'

const OTHER = { kind: 'console', name: 'somebody else', requestId: null } as const
const ask = (caseId: number, actor: Actor = aPerson()) =>
  new AskForPenalty().handle({ caseId, reason: 'Пункт 7.2 договора', actor })
const codeOf = (refused: Promise<unknown>) =>
  refused.then(
    () => 'no refusal',
    (error: unknown) => (error as Refusal).refusalCode
  )

async function aCase(penaltyTenge: bigint) {
  const sale = await latePayment()
  await setTerms(sale.partner, { penaltyTenge })
  await refreshDefects(sale.partner)
  const { id } = await one('SELECT id FROM settlement_cases WHERE key = ?', sale.orderId)
  return { ...sale, caseId: id as number }
}

/** A case of a late confirm, and what it goes on as once its payment has bought an order that was made earlier. */
async function aGrowingCase() {
  const { client, event, partner } = await aSale()
  await setTerms(partner, { penaltyTenge: 5_000n })
  const place = async (seat: string) => {
    const booked = dataOf(await book(client, event.id, [seat]))
    const { order_id: orderId } = dataOf(await order(client, booked.booking_id))
    return orderId as string
  }
  const [earlier, late] = [await place('seat-2-1'), await place('seat-2-2')]
  await lapseOrder(late)
  const payment = paymentOf(12_000)
  await confirm(client, late, payment)
  const idOfCase = async () => {
    await refreshDefects(partner)
    const { id } = await one(
      'SELECT id FROM settlement_cases WHERE partner_id = ? AND gone_at IS NULL',
      partner.id
    )
    return id as number
  }
  const grow = async () => {
    await confirm(client, earlier, payment)
    return idOfCase()
  }
  /** Another case that has one of its orders, as it may be for a moment before both are merged. */
  const overlap = async () => {
    const { id } = await ownerOne(
      `INSERT INTO settlement_cases (partner_id, key, order_ids, payment_ids, severity, fault, chain, rule_set_version, occurred_at, checked_at)
       SELECT partner_id, 'another case', order_ids, payment_ids, severity, fault, chain, rule_set_version, occurred_at, checked_at
         FROM settlement_cases WHERE partner_id = ? AND gone_at IS NULL RETURNING id`,
      partner.id
    )
    await ownerRows(
      `INSERT INTO settlement_defects (case_id, code, severity, order_id, is_strict_breach, exposure_tenge, exposure_party, fault, evidence)
       SELECT ?::integer, d.code, d.severity, d.order_id, d.is_strict_breach, d.exposure_tenge, d.exposure_party, d.fault, d.evidence
         FROM settlement_defects d JOIN settlement_cases c ON c.id = d.case_id
        WHERE c.partner_id = ? AND c.id <> ? AND d.gone_at IS NULL`,
      id,
      partner.id,
      id
    )
    return id as number
  }
  const charged = async () => {
    const moved = await movementsOf(partner)
    return moved.filter(({ kind }) => kind === 'penalty').length
  }
  return { caseId: await idOfCase(), grow, overlap, charged }
}

test.group('Penalties', () => {
  test('a case has one penalty, by the terms and with the case as its evidence', async ({
    assert,
  }) => {
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

  test('a case that grows by an earlier order stays the same and has one penalty', async ({
    assert,
  }) => {
    const { caseId, grow, charged } = await aGrowingCase()
    await ask(caseId)
    assert.equal(await grow(), caseId)
    assert.equal(await codeOf(ask(caseId)), 'ALREADY_EXISTS')
    assert.equal(await charged(), 1)
  })

  test('of several penalties requested at once for cases that share an order one is made', async ({
    assert,
  }) => {
    const { caseId, overlap, charged } = await aGrowingCase()
    const other = await overlap()
    const asked = [caseId, other, caseId, other].map((id) => codeOf(ask(id)))
    const outcomes = await Promise.all(asked)
    assert.deepEqual(outcomes.toSorted(), [
      ...Array.from({ length: 3 }, () => 'ALREADY_EXISTS'),
      'no refusal',
    ])
    assert.equal(await charged(), 1)
  })

  test('a penalty above the limit waits for another person and may be requested again once declined', async ({
    assert,
  }) => {
    const { caseId, partner } = await aCase(100_001n)
    const { memoId, isApproved } = await ask(caseId, TESTER)
    assert.isFalse(isApproved)
    assert.equal(await codeOf(ask(caseId)), 'ALREADY_EXISTS')
    assert.equal(await codeOf(new ApproveMemo().handle({ memoId, actor: TESTER })), 'OWN_REQUEST')
    await new DeclineMemo().handle({ memoId, note: 'Сбой был у нас', actor: OTHER })
    assert.deepEqual(await movementsOf(partner), [])
    const again = await ask(caseId)
    await new ApproveMemo().handle({ memoId: again.memoId, actor: OTHER })
    assert.lengthOf(await movementsOf(partner), 1)
  })

  test('a penalty that was taken back may be asked for again, once', async ({ assert }) => {
    const { caseId, partner } = await aCase(5_000n)
    const { memoId } = await ask(caseId)
    await new ReverseMemo().handle({ memoId, reason: 'Сбой был у нас', actor: aPerson() })
    const outcomes = await Promise.all([1, 2, 3].map(() => codeOf(ask(caseId))))
    assert.deepEqual(outcomes.toSorted(), ['ALREADY_EXISTS', 'ALREADY_EXISTS', 'no refusal'])
    const moved = await movementsOf(partner)
    assert.deepEqual(
      moved.map(({ kind, tenge }) => [kind, tenge]),
      [
        ['penalty', '5000'],
        ['adj_credit', '-5000'],
        ['penalty', '5000'],
      ]
    )
    await assert.rejects(
      () =>
        ownerRows(
          `INSERT INTO settlement_memos (partner_id, kind, amount_tenge, reason, asked_by, needs_second, origin_case_id)
           VALUES (?, 'penalty', 5000, 'Пункт 7.2', 'a@example.kz', false, ?)`,
          partner.id,
          caseId
        ),
      /one_penalty_of_a_case/
    )
  })

  test('a penalty is in force until its reversal is approved', async ({ assert }) => {
    const { caseId } = await aCase(200_000n)
    const { memoId } = await ask(caseId, TESTER)
    await new ApproveMemo().handle({ memoId, actor: OTHER })
    const reversal = await new ReverseMemo().handle({
      memoId,
      reason: 'Сбой был у нас',
      actor: TESTER,
    })
    assert.isFalse(reversal.isApproved)
    assert.equal(await codeOf(ask(caseId)), 'ALREADY_EXISTS')
    await new ApproveMemo().handle({ memoId: reversal.memoId, actor: OTHER })
    assert.equal(await codeOf(ask(caseId)), 'no refusal')
  })

  test('no penalty for a case that is not the partner’s fault', async ({ assert }) => {
    const { caseId } = await aCase(5_000n)
    for (const fault of ['PLATFORM', 'NETWORK', 'UNKNOWN']) {
      await ownerRows('UPDATE settlement_cases SET fault = ? WHERE id = ?', fault, caseId)
      assert.equal(await codeOf(ask(caseId)), 'NO_PENALTY')
    }
    await ownerRows(`UPDATE settlement_cases SET fault = 'PARTNER' WHERE id = ?`, caseId)
    assert.equal(await codeOf(ask(caseId)), 'no refusal')
  })

  for (const [why, isFalsePositive] of [
    ['the rules were wrong', true],
    ['nothing is to be done', false],
  ] as const)
    test(`no penalty for a case that was dismissed because ${why}, until it is opened again`, async ({
      assert,
    }) => {
      const { caseId } = await aCase(5_000n)
      const change = (version: number, to: CaseChange) =>
        new ChangeCase().handle({ caseId, version, change: to, actor: TESTER })
      await change(1, { state: 'dismissed', isFalsePositive, reason: 'Договорились' })
      assert.equal(await codeOf(ask(caseId)), 'NO_PENALTY')
      await change(2, { state: 'open', reason: 'Всё-таки' })
      assert.equal(await codeOf(ask(caseId)), 'no refusal')
    })

  test('a penalty that waits for another person is not approved once its case is dismissed', async ({
    assert,
  }) => {
    const { caseId, partner } = await aCase(200_000n)
    const { memoId } = await ask(caseId, TESTER)
    const reason = 'Договорились'
    const dismissed = { state: 'dismissed', reason } as const
    await new ChangeCase().handle({ caseId, version: 1, change: dismissed, actor: TESTER })
    const approve = () => codeOf(new ApproveMemo().handle({ memoId, actor: OTHER }))
    assert.equal(await approve(), 'NO_PENALTY')
    assert.deepEqual(await movementsOf(partner), [])
    const opened = { state: 'open', reason: 'Всё-таки' } as const
    await new ChangeCase().handle({ caseId, version: 2, change: opened, actor: TESTER })
    assert.equal(await approve(), 'no refusal')
  })

  test('a penalty that waits is not approved once its case has become part of one that is dismissed', async ({
    assert,
  }) => {
    const { caseId, partner } = await aCase(200_000n)
    const { memoId } = await ask(caseId, TESTER)
    const { id } = await ownerOne(
      `INSERT INTO settlement_cases (partner_id, key, order_ids, payment_ids, severity, fault, chain, rule_set_version, occurred_at, checked_at)
       SELECT partner_id, 'a case that has them all', order_ids, payment_ids, severity, fault, chain, rule_set_version, occurred_at, checked_at
         FROM settlement_cases WHERE id = ? RETURNING id`,
      caseId
    )
    await ownerRows(
      'UPDATE settlement_cases SET gone_at = clock_timestamp(), merged_into = ? WHERE id = ?',
      id,
      caseId
    )
    const dismissed = { state: 'dismissed', reason: 'Договорились' } as const
    await new ChangeCase().handle({ caseId: id, version: 1, change: dismissed, actor: TESTER })
    assert.equal(await codeOf(new ApproveMemo().handle({ memoId, actor: OTHER })), 'NO_PENALTY')
    assert.deepEqual(await movementsOf(partner), [])
  })

  test('a penalty is that of the terms of the day of its case', async ({ assert }) => {
    const { caseId, partner } = await aCase(5_000n)
    await ownerRows(
      `UPDATE settlement_cases SET occurred_at = occurred_at - interval '3 days' WHERE id = ?`,
      caseId
    )
    await ownerRows(
      `INSERT INTO settlement_terms (partner_id, valid_from, penalty_tenge, set_by) VALUES (?, now() - interval '1 day', 9000, 'tests')`,
      partner.id
    )
    await ask(caseId)
    const moved = await movementsOf(partner)
    assert.deepEqual(
      moved.map(({ tenge }) => tenge),
      ['5000']
    )
  })

  test('no penalty without terms that define it, nor for an unknown case', async ({ assert }) => {
    const { caseId } = await aCase(0n)
    assert.equal(await codeOf(ask(caseId)), 'NO_PENALTY')
    assert.equal(await codeOf(ask(999_999_999)), 'NO_SUCH')
  })
})
