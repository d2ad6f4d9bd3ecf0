import AllocateCredit from '#ledger/actions/allocate_credit'
import { DeclineRequest } from '#ledger/actions/decide_request'
import IssueStatement from '#ledger/actions/issue_statement'
import { DeclineMemo, RequestMemo, ReverseMemo } from '#ledger/actions/memos'
import RecordPayment from '#ledger/actions/record_payment'
import ReversePayment from '#ledger/actions/reverse_payment'
import SetIssuer from '#ledger/actions/set_issuer'
import followStatements from '#ledger/jobs/follow_statements'
import { findIssuer } from '#ledger/issuer'
import { findStatement } from '#ledger/queries/find_statement'
import { localDay } from '#shared/days'
import type { Refusal } from '#shared/refusals'
import { aPerson, aSale, sell, TESTER } from '#tests/support/fixtures'
import { ownerRows, rows } from '#tests/support/rows'
import { moveInTime, setTerms } from '#tests/support/settlement'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { randomUUID } from 'node:crypto'
import { untilSomebodyWaits } from '../races/support/gate_hold.js'

const codeOf = (refused: Promise<unknown>) =>
  refused.then(
    () => 'no refusal',
    (error: unknown) => (error as Refusal).refusalCode
  )
const today = () => localDay(new Date())

/** A past month that can be closed, with a payment of 5,000 and a memo of 1,000 that stand alone. */
async function anAccount() {
  const { client, event, partner } = await aSale()
  await setTerms(partner)
  await sell(client, event.id, ['seat-2-1'])
  await moveInTime(partner, '-45 days')
  const { paymentId } = await new RecordPayment().handle({
    partnerCode: partner.code,
    bankReference: `П ${randomUUID()}`,
    paidOn: today(),
    direction: 'from_partner',
    amountTenge: 5_000n,
    parts: [],
    actor: aPerson(),
  })
  const memo = { kind: 'adj_debit', reason: 'Ошибка', origin: null, actor: aPerson() } as const
  const asked = { partnerCode: partner.code, amountTenge: 1_000n, ...memo }
  const { memoId } = await new RequestMemo().handle(asked)
  return { partner, paymentId: paymentId!, memoId }
}
type Account = Awaited<ReturnType<typeof anAccount>>

const ACTS: Record<string, (account: Account) => Promise<unknown>> = {
  'the closing of a period': ({ partner }) =>
    new IssueStatement().handle({ partnerCode: partner.code, actor: TESTER }),
  'an allocation': ({ partner, paymentId, memoId }) =>
    new AllocateCredit().handle({
      partnerCode: partner.code,
      credit: `payment:${paymentId}`,
      debit: `memo:${memoId}`,
      amountTenge: 1n,
      actor: TESTER,
    }),
  'the reversal of a payment': ({ paymentId }) =>
    new ReversePayment().handle({
      paymentId,
      bankReference: `П ${randomUUID()}`,
      paidOn: today(),
      reason: 'Банк вернул',
      actor: aPerson(),
    }),
  'the reversal of a memo': ({ memoId }) =>
    new ReverseMemo().handle({ memoId, reason: 'Ошибка', actor: aPerson() }),
}

test.group('Simultaneous acts of settlement', () => {
  for (const [name, act] of Object.entries(ACTS))
    test(`${name} waits for the account`, async ({ assert }) => {
      const account = await anAccount()
      const holding = await db.transaction()
      await holding.rawQuery(
        'SELECT 1 FROM settlement_accounts WHERE partner_id = ? FOR NO KEY UPDATE',
        [account.partner.id]
      )
      const acted = codeOf(act(account))
      await untilSomebodyWaits()
      await holding.rollback()
      assert.equal(await acted, 'no refusal')
    })

  test('a closing waits for the account before it takes a number', async ({ assert }) => {
    const account = await anAccount()
    const holding = await db.transaction()
    await holding.rawQuery(
      'SELECT 1 FROM settlement_accounts WHERE partner_id = ? FOR NO KEY UPDATE',
      [account.partner.id]
    )
    const closed = codeOf(ACTS['the closing of a period'](account))
    await untilSomebodyWaits()
    const free = await ownerRows(
      `SELECT 1 FROM settlement_counters WHERE name = 'statement' FOR UPDATE SKIP LOCKED`
    )
    await holding.rollback()
    assert.equal(await closed, 'no refusal')
    assert.lengthOf(free, 1)
  })

  test('a reversal waits for the account before the day of its person', async ({ assert }) => {
    const { partner, paymentId } = await anAccount()
    const actor = aPerson()
    const holding = await db.transaction()
    await holding.rawQuery(
      'SELECT 1 FROM settlement_accounts WHERE partner_id = ? FOR NO KEY UPDATE',
      [partner.id]
    )
    const bankReference = `П ${randomUUID()}`
    const reversal = { paymentId, bankReference, paidOn: today(), reason: 'Банк вернул' }
    const reversed = codeOf(new ReversePayment().handle({ ...reversal, actor }))
    await untilSomebodyWaits()
    const [{ isFree }] = await rows(
      `SELECT pg_try_advisory_xact_lock(hashtextextended('settlement_single_acts ' || ?::text, 0)) AS "isFree"`,
      actor.name
    )
    await holding.rollback()
    assert.equal(await reversed, 'no refusal')
    assert.isTrue(isFree)
  })

  test('of two who set our details the second is refused as stale', async ({ assert }) => {
    const present = await findIssuer.first({})
    const details = { bin: '170240054326', address: null, city: null, signatory: null }
    const set = (legalName: string) =>
      codeOf(
        new SetIssuer().handle({
          ...details,
          legalName,
          replacesId: present?.id ?? null,
          actor: TESTER,
        })
      )
    const holding = await db.transaction()
    await holding.rawQuery(
      `SELECT pg_advisory_xact_lock(hashtextextended('settlement_issuers', 0))`
    )
    const both = [set('ТОО «Мы»'), set('ТОО «Они»')]
    await untilSomebodyWaits(2)
    await holding.rollback()
    assert.sameMembers(await Promise.all(both), ['no refusal', 'STALE'])
  })

  test('a statement that is disputed in the last moment is not agreed on by silence', async ({
    assert,
  }) => {
    const { partner } = await anAccount()
    const { statementId } = await new IssueStatement().handle({
      partnerCode: partner.code,
      actor: TESTER,
    })
    await ownerRows(
      `WITH free AS (SELECT set_config('session_replication_role', 'replica', true))
       UPDATE settlement_statements SET dispute_until = clock_timestamp() FROM free WHERE id = ?`,
      statementId
    )
    const holding = await db.transaction()
    await holding.rawQuery(
      `UPDATE settlement_statements SET status = 'disputed', status_by = 'tests', status_at = clock_timestamp() WHERE id = ?`,
      [statementId]
    )
    const followed = followStatements()
    await untilSomebodyWaits()
    await holding.commit()
    await followed
    const { status } = await findStatement(statementId)
    assert.equal(status, 'disputed')
  })

  test('a memo is declined once, however many decline it', async ({ assert }) => {
    const { partner } = await anAccount()
    const asked = { kind: 'adj_credit', reason: 'Возврат', origin: null, actor: aPerson() } as const
    const { memoId } = await new RequestMemo().handle({
      ...asked,
      partnerCode: partner.code,
      amountTenge: 500_000n,
    })
    const holding = await db.transaction()
    await holding.rawQuery('SELECT 1 FROM settlement_memos WHERE id = ? FOR NO KEY UPDATE', [
      memoId,
    ])
    const decline = () => codeOf(new DeclineMemo().handle({ memoId, note: null, actor: TESTER }))
    const both = [decline(), decline()]
    await untilSomebodyWaits(2)
    await holding.rollback()
    assert.sameMembers(await Promise.all(both), ['no refusal', 'REQUEST_NOT_OPEN'])
  })

  test('a request is declined once, however many decline it', async ({ assert }) => {
    const { partner } = await anAccount()
    const { requestId } = await new RecordPayment().handle({
      partnerCode: partner.code,
      bankReference: `П ${randomUUID()}`,
      paidOn: today(),
      direction: 'from_partner',
      amountTenge: 50_000_000n,
      parts: [],
      actor: aPerson(),
    })
    const holding = await db.transaction()
    await holding.rawQuery('SELECT 1 FROM settlement_requests WHERE id = ? FOR NO KEY UPDATE', [
      requestId!,
    ])
    const decline = () =>
      codeOf(new DeclineRequest().handle({ requestId: requestId!, note: 'Нет', actor: TESTER }))
    const both = [decline(), decline()]
    await untilSomebodyWaits(2)
    await holding.rollback()
    assert.sameMembers(await Promise.all(both), ['no refusal', 'REQUEST_NOT_OPEN'])
  })
})
