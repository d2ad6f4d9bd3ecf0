import AllocateCredit, {
  UndoAllocation,
  type AllocateCreditInput,
} from '#ledger/actions/allocate_credit'
import ChangeStatementStatus from '#ledger/actions/change_statement_status'
import { ApproveRequest } from '#ledger/actions/decide_request'
import IssueStatement from '#ledger/actions/issue_statement'
import { ApproveMemo, RequestMemo, ReverseMemo, type MemoKind } from '#ledger/actions/memos'
import RecordPayment, { type RecordPaymentInput } from '#ledger/actions/record_payment'
import ReversePayment from '#ledger/actions/reverse_payment'
import SupersedeStatement from '#ledger/actions/supersede_statement'
import { findStatement } from '#ledger/queries/find_statement'
import { listOpenItems, proposeDebit } from '#ledger/queries/open_items'
import { verifyStatement } from '#ledger/queries/verify_statement'
import { localDay } from '#shared/days'
import type { Refusal } from '#shared/refusals'
import { transaction } from '#shared/transaction'
import { aPartner, aPerson, aSale, sell, TESTER, type TestPartner } from '#tests/support/fixtures'
import { one, ownerRows, rows } from '#tests/support/rows'
import { moveInTime, setTerms } from '#tests/support/settlement'
import { test } from '@japa/runner'
import { randomUUID } from 'node:crypto'

const REASON = 'Банк вернул: неверные реквизиты'
const today = () => localDay(new Date())

const issue = async ({ code }: TestPartner) => {
  const { statementId } = await new IssueStatement().handle({ partnerCode: code, actor: TESTER })
  return statementId
}

/** Statements of 24,000 and 12,000 (seats of 12,000, no commission), the newest last. */
async function twoStatements() {
  const sale = await aSale()
  await setTerms(sale.partner, { commissionBp: 0, silenceAgrees: false })
  await sell(sale.client, sale.event.id, ['seat-2-1', 'seat-2-2'])
  await moveInTime(sale.partner, '-4 months')
  const first = await issue(sale.partner)
  await sell(sale.client, sale.event.id, ['seat-2-3'])
  await moveInTime(sale.partner, '-3 months')
  const second = await issue(sale.partner)
  return { ...sale, first, second }
}

async function aStatement() {
  const sale = await aSale()
  await setTerms(sale.partner, { commissionBp: 0, silenceAgrees: false })
  await sell(sale.client, sale.event.id, ['seat-2-1', 'seat-2-2'])
  await moveInTime(sale.partner, '-3 months')
  return { ...sale, statementId: await issue(sale.partner) }
}

/** One more ticket of 12,000, and the statement of the next month with everything so far. */
async function issueNext({ partner, client, event }: Awaited<ReturnType<typeof aSale>>) {
  await sell(client, event.id, ['seat-2-4'])
  await moveInTime(partner, '-2 months')
  return issue(partner)
}

async function pay(
  { code: partnerCode }: TestPartner,
  amountTenge: bigint,
  statementId: number | null,
  more: Partial<RecordPaymentInput> = {}
) {
  const { paymentId } = await new RecordPayment().handle({
    partnerCode,
    bankReference: `П ${randomUUID()}`,
    paidOn: today(),
    direction: 'from_partner',
    amountTenge,
    parts: statementId === null ? [] : [{ statementId, amountTenge }],
    actor: aPerson(),
    ...more,
  })
  return paymentId!
}

const aMemo = async ({ code: partnerCode }: TestPartner, kind: MemoKind, amountTenge: bigint) => {
  const { memoId } = await new RequestMemo().handle({
    partnerCode,
    kind,
    amountTenge,
    reason: 'Возврат мимо системы',
    origin: null,
    actor: aPerson(),
  })
  return memoId
}

const allocate = (
  { code: partnerCode }: TestPartner,
  credit: string,
  debit: string,
  amountTenge: bigint,
  more: Partial<AllocateCreditInput> = {}
) =>
  new AllocateCredit().handle({
    partnerCode,
    credit,
    debit,
    amountTenge,
    actor: aPerson(),
    ...more,
  })

const move = (statementId: number, trigger: 'agree' | 'dispute' | 'close') =>
  new ChangeStatementStatus().handle({ statementId, trigger, note: 'письмо', actor: TESTER })

/** Status, payment status and what is paid. */
async function stateOf(statementId: number) {
  const { status, paymentStatus, paidTenge } = await findStatement(statementId)
  return [status, paymentStatus, paidTenge]
}

/** Open items, as `item: rest`; a credit is negative. */
async function openOf({ id: partnerId }: TestPartner) {
  const items = await listOpenItems({ partnerId })
  return Object.fromEntries(
    items.map(({ item, signedTenge, restTenge }) => [
      item,
      signedTenge < 0n ? -restTenge : restTenge,
    ])
  )
}

/** What is open of one item, as in `openOf`. */
async function restOf(partner: TestPartner, item: string) {
  const open = await openOf(partner)
  return open[item]
}
async function dueOf(statementId: number) {
  const { dueTenge } = await findStatement(statementId)
  return dueTenge
}

/** The balance without the sales of the open period, which are in no document yet. */
async function balanceOf({ id }: TestPartner) {
  const { tenge } = await one(
    `SELECT coalesce(sum(amount_tenge), 0)::bigint AS tenge FROM ledger_movements
      WHERE partner_id = ? AND (statement_id IS NOT NULL OR kind IN ('payment', 'adj_debit', 'adj_credit', 'penalty'))`,
    id
  )
  return BigInt(tenge as string)
}
async function sumOfItems(partner: TestPartner) {
  let total = 0n
  for (const tenge of Object.values(await openOf(partner))) total += tenge
  return total
}

const codeOf = (refused: Promise<unknown>) =>
  refused.then(
    () => 'no refusal',
    (error: unknown) => (error as Refusal).refusalCode
  )
const fieldOf = (refused: Promise<unknown>) =>
  refused.then(
    () => null,
    (error: unknown) => {
      const { fields } = (error as Refusal).details as { fields: { field: string }[] }
      return fields[0].field
    }
  )
async function entriesOf({ id }: TestPartner, name: string) {
  const entries = await rows(
    'SELECT change FROM journal WHERE partner_id = ? AND name = ? ORDER BY id',
    id,
    name
  )
  return entries.map(({ change }) => change as Record<string, unknown>)
}

/** An allocation as somebody with access to the database would write it. */
const byHand = (partner: TestPartner, credit: string, debit: string, tenge: number) =>
  ownerRows(
    `INSERT INTO settlement_allocations (partner_id, credit, debit, amount_tenge, allocated_by) VALUES (?, ?, ?, ?, 'tests')`,
    partner.id,
    credit,
    debit,
    tenge
  )

test.group('Payments of statements', () => {
  const BEFORE: [status: string, triggers: ('agree' | 'dispute' | 'close')[]][] = [
    ['issued', []],
    ['disputed', ['dispute']],
    ['agreed', ['agree']],
    ['closed', ['agree', 'close']],
  ]
  test('a statement that is {0} can be paid, and its status stays')
    .with(BEFORE)
    .run(async ({ assert }, [status, triggers]) => {
      const { partner, statementId } = await aStatement()
      for (const trigger of triggers) await move(statementId, trigger)
      assert.deepEqual(await stateOf(statementId), [status, 'open', 0n])
      await pay(partner, 10_000n, statementId)
      assert.deepEqual(await stateOf(statementId), [status, 'part_paid', 10_000n])
      await pay(partner, 14_000n, statementId)
      assert.deepEqual(await stateOf(statementId), [status, 'paid', 24_000n])
      assert.deepEqual(await openOf(partner), {})
      const stored = await one('SELECT status FROM settlement_statements WHERE id = ?', statementId)
      assert.equal(stored.status, status)
    })

  test('what is beyond the statement stays an open credit, until it is put against another one', async ({
    assert,
  }) => {
    const { partner, first, second } = await twoStatements()
    const paymentId = await pay(partner, 30_000n, first)
    assert.deepEqual(await stateOf(first), ['issued', 'overpaid', 24_000n])
    assert.deepEqual(await openOf(partner), {
      [`payment:${paymentId}`]: -6_000n,
      [`statement:${second}`]: 12_000n,
    })
    await allocate(partner, `payment:${paymentId}`, `statement:${second}`, 6_000n)
    assert.deepEqual(await stateOf(first), ['issued', 'paid', 24_000n])
    assert.deepEqual(await stateOf(second), ['issued', 'part_paid', 6_000n])
    const [, entry] = await entriesOf(partner, 'credit_allocated')
    assert.deepEqual(entry, {
      credit: `payment:${paymentId}`,
      debit: `statement:${second}`,
      amount_tenge: '6000',
    })
  })

  test('the oldest open debit is proposed, and no more than is open of it', async ({ assert }) => {
    const { partner, first, second } = await twoStatements()
    await pay(partner, 50_000n, null)
    const moveIssue = (by: string) =>
      ownerRows(
        `WITH free AS (SELECT set_config('session_replication_role', 'replica', true))
         UPDATE settlement_statements SET issued_at = issued_at + ?::interval FROM free WHERE id = ?`,
        by,
        second
      )
    await moveIssue('-40 days')
    const items = await listOpenItems({ partnerId: partner.id })
    const debits = items.filter(({ signedTenge }) => signedTenge > 0n)
    assert.deepEqual(
      debits.map(({ item, bucket }) => [item, bucket]),
      [
        [`statement:${second}`, 'to60'],
        [`statement:${first}`, 'to30'],
      ]
    )
    const credit = items.find(({ signedTenge }) => signedTenge < 0n)!
    assert.deepEqual(proposeDebit(credit, debits), {
      debit: `statement:${second}`,
      amountTenge: 12_000n,
    })
    assert.isNull(proposeDebit(credit, []))
    // Other tests verify all statements.
    await moveIssue('40 days')
  })

  test('a withdrawn statement takes no payment; its own are carried to the one in its place', async ({
    assert,
  }) => {
    const { partner, statementId } = await aStatement()
    const paymentId = await pay(partner, 30_000n, statementId)
    await new SupersedeStatement().handle({ statementId, reason: 'Не тот договор', actor: TESTER })
    assert.deepEqual(await stateOf(statementId), ['superseded', null, 0n])
    assert.deepEqual(await openOf(partner), { [`payment:${paymentId}`]: -30_000n })
    assert.equal(await codeOf(pay(partner, 1n, statementId)), 'STATUS_NOT_REACHABLE')
    const successor = await issue(partner)
    assert.deepEqual(await stateOf(successor), ['issued', 'overpaid', 24_000n])
    assert.deepEqual(await openOf(partner), { [`payment:${paymentId}`]: -6_000n })
    for (const id of [statementId, successor])
      assert.deepEqual(await verifyStatement(await findStatement(id)), [])
  })

  test('a payment that waits while its statement is withdrawn is recorded as an open credit', async ({
    assert,
  }) => {
    const { partner, statementId } = await aStatement()
    const amountTenge = 50_000_000n
    const { requestId } = await new RecordPayment().handle({
      partnerCode: partner.code,
      bankReference: `П ${randomUUID()}`,
      paidOn: today(),
      direction: 'from_partner',
      amountTenge,
      parts: [{ statementId, amountTenge }],
      actor: aPerson(),
    })
    await new SupersedeStatement().handle({ statementId, reason: 'Не тот договор', actor: TESTER })
    await new ApproveRequest().handle({ requestId: requestId!, actor: aPerson() })
    assert.deepEqual(Object.values(await openOf(partner)), [-50_000_000n])
  })

  test('a statement by which the partner owes is not paid by us', async ({ assert }) => {
    const { partner, statementId } = await aStatement()
    const paid = pay(partner, 1_000n, statementId, { direction: 'to_partner' })
    assert.equal(await fieldOf(paid), 'direction')
  })

  test('a large payment that was booked already is not asked for again', async ({ assert }) => {
    const partner = await aPartner()
    const bankReference = `П ${randomUUID()}`
    const record = () =>
      new RecordPayment().handle({
        partnerCode: partner.code,
        bankReference,
        paidOn: today(),
        direction: 'from_partner',
        amountTenge: 50_000_000n,
        parts: [],
        actor: aPerson(),
      })
    const { requestId } = await record()
    await new ApproveRequest().handle({ requestId: requestId!, actor: aPerson() })
    assert.equal(await codeOf(record()), 'PAYMENT_EXISTS')
    const { n } = await one(
      'SELECT count(*)::int AS n FROM settlement_requests WHERE partner_id = ?',
      partner.id
    )
    assert.equal(n, 1)
  })

  test('a statement by which we owe the partner is a credit, and is paid by us', async ({
    assert,
  }) => {
    const sale = await aStatement()
    const { partner, statementId } = sale
    await aMemo(partner, 'adj_credit', 20_000n)
    const next = await issueNext(sale)
    assert.deepEqual(await openOf(partner), {
      [`statement:${statementId}`]: 24_000n,
      [`statement:${next}`]: -8_000n,
    })
    assert.equal(await fieldOf(pay(partner, 8_000n, next)), 'direction')
    await allocate(partner, `statement:${next}`, `statement:${statementId}`, 1_000n)
    const payment = await pay(partner, 8_000n, next, { direction: 'to_partner' })
    assert.deepEqual(await stateOf(next), ['issued', 'overpaid', -8_000n])
    assert.deepEqual(await openOf(partner), {
      [`statement:${statementId}`]: 23_000n,
      [`payment:${payment}`]: 1_000n,
    })
    assert.equal(await sumOfItems(partner), await balanceOf(partner))
  })
})

/** Withdraws a statement and issues the one in its place, with memos that were made for it meanwhile. */
async function replace(partner: TestPartner, statementId: number, credits: bigint[] = []) {
  await new SupersedeStatement().handle({ statementId, reason: 'Не тот договор', actor: TESTER })
  for (const amountTenge of credits)
    await new RequestMemo().handle({
      partnerCode: partner.code,
      kind: 'adj_credit',
      amountTenge,
      reason: 'Возврат мимо системы',
      origin: { statementId, line: null },
      actor: aPerson(),
    })
  return issue(partner)
}

test.group('What a withdrawn statement was paid with', () => {
  test('is carried no further than it was put against it', async ({ assert }) => {
    const { partner, statementId } = await aStatement()
    const parts = [{ statementId, amountTenge: 10_000n }]
    const paymentId = await pay(partner, 20_000n, null, { parts })
    const successor = await replace(partner, statementId)
    assert.deepEqual(await openOf(partner), {
      [`payment:${paymentId}`]: -10_000n,
      [`statement:${successor}`]: 14_000n,
    })
  })

  test('is carried in the order in which it was paid', async ({ assert }) => {
    const { partner, statementId } = await aStatement()
    const first = await pay(partner, 20_000n, statementId)
    const second = await pay(partner, 10_000n, statementId)
    const successor = await replace(partner, statementId, [10_000n])
    assert.equal(await dueOf(successor), 14_000n)
    assert.deepEqual(await openOf(partner), {
      [`payment:${first}`]: -6_000n,
      [`payment:${second}`]: -10_000n,
    })
  })

  test('stays open where it had been undone before the withdrawal', async ({ assert }) => {
    const { partner, statementId } = await aStatement()
    const paymentId = await pay(partner, 10_000n, statementId)
    const { id } = await one(
      'SELECT id::int AS id FROM settlement_allocations WHERE partner_id = ?',
      partner.id
    )
    const undone = { partnerCode: partner.code, allocationId: Number(id), reason: REASON }
    await new UndoAllocation().handle({ ...undone, actor: aPerson() })
    const successor = await replace(partner, statementId)
    assert.deepEqual(await openOf(partner), {
      [`payment:${paymentId}`]: -10_000n,
      [`statement:${successor}`]: 24_000n,
    })
  })

  test('stays open where we owe by the one in its place', async ({ assert }) => {
    const { partner, statementId } = await aStatement()
    const paymentId = await pay(partner, 10_000n, statementId)
    const successor = await replace(partner, statementId, [40_000n])
    assert.deepEqual(await openOf(partner), {
      [`payment:${paymentId}`]: -10_000n,
      [`statement:${successor}`]: -16_000n,
    })
  })

  test('is carried where we have paid', async ({ assert }) => {
    const sale = await aStatement()
    const { partner, statementId } = sale
    await aMemo(partner, 'adj_credit', 20_000n)
    const next = await issueNext(sale)
    await pay(partner, 8_000n, next, { direction: 'to_partner' })
    const successor = await replace(partner, next)
    assert.deepEqual(await stateOf(successor), ['issued', 'paid', -8_000n])
    assert.deepEqual(await openOf(partner), { [`statement:${statementId}`]: 24_000n })
  })
})

test.group('The age of an open item', () => {
  const moveIssue = (statementId: number, days: number) =>
    ownerRows(
      `WITH free AS (SELECT set_config('session_replication_role', 'replica', true))
       UPDATE settlement_statements SET issued_at = issued_at + make_interval(days => ?) FROM free WHERE id = ?`,
      days,
      statementId
    )
  /** Age and bucket of each item, the first of the statement that was issued so many days ago. */
  async function agesAfter(partner: TestPartner, statementId: number, days: number) {
    await moveIssue(statementId, -days)
    const items = await listOpenItems({ partnerId: partner.id })
    // Other tests verify all statements.
    await moveIssue(statementId, days)
    return items.map(({ ageDays, bucket }) => [ageDays, bucket])
  }

  test('changes its bucket after 30, 60 and 90 days', async ({ assert }) => {
    const { partner, statementId } = await aStatement()
    const ages = []
    for (const days of [30, 31, 60, 61, 90, 91])
      ages.push(...(await agesAfter(partner, statementId, days)))
    assert.deepEqual(ages, [
      [30, 'to30'],
      [31, 'to60'],
      [60, 'to60'],
      [61, 'to90'],
      [90, 'to90'],
      [91, 'over90'],
    ])
  })

  test('of a statement begins with its last day, and is never less than nothing', async ({
    assert,
  }) => {
    const { partner, client, event } = await aSale()
    await setTerms(partner, { paymentDays: 10 })
    await sell(client, event.id, ['seat-2-1'])
    await moveInTime(partner, '-45 days')
    const statementId = await issue(partner)
    assert.deepEqual(await agesAfter(partner, statementId, 4), [[0, 'to30']])
    assert.deepEqual(await agesAfter(partner, statementId, 35), [[25, 'to30']])
  })

  test('of a memo has nothing to do with the statement of the same id', async ({ assert }) => {
    const { partner, client, event } = await aSale()
    await setTerms(partner, { paymentDays: 10 })
    await sell(client, event.id, ['seat-2-1'])
    await moveInTime(partner, '-45 days')
    await ownerRows(
      `SELECT setval(memos, next, false), setval(statements, next, false)
         FROM pg_get_serial_sequence('settlement_memos', 'id') AS memos,
              pg_get_serial_sequence('settlement_statements', 'id') AS statements,
              LATERAL (SELECT greatest(nextval(memos), nextval(statements)) AS next) free`
    )
    const statementId = await issue(partner)
    const memoId = await aMemo(partner, 'adj_credit', 1_000n)
    assert.equal(memoId, statementId)
    assert.deepEqual(await agesAfter(partner, statementId, 60), [
      [50, 'to60'],
      [0, 'to30'],
    ])
  })

  test('marks no money that we owe after the last day', async ({ assert }) => {
    const { partner, client, event } = await aSale()
    await setTerms(partner, { commissionBp: 0, paymentDays: 10 })
    await sell(client, event.id, ['seat-2-1'])
    await moveInTime(partner, '-45 days')
    const first = await issue(partner)
    const successor = await replace(partner, first, [20_000n])
    await moveIssue(successor, -30)
    const { dueTenge, isOverdue } = await findStatement(successor)
    await moveIssue(successor, 30)
    assert.deepEqual([dueTenge, isOverdue], [-8_000n, false])
  })
})

test.group('Allocations', () => {
  test('more than is open of the credit or the debit is refused, by the form and by the database', async ({
    assert,
  }) => {
    const { partner, first, second } = await twoStatements()
    const paymentId = await pay(partner, 20_000n, null)
    const [credit, debit] = [`payment:${paymentId}`, `statement:${second}`]
    assert.equal(await fieldOf(allocate(partner, credit, debit, 12_001n)), 'amountTenge')
    assert.equal(
      await fieldOf(allocate(partner, credit, `statement:${first}`, 20_001n)),
      'amountTenge'
    )
    assert.equal(await fieldOf(allocate(partner, credit, debit, 0n)), 'amountTenge')
    assert.equal(await fieldOf(allocate(partner, debit, credit, 1n)), 'debit')
    assert.equal(await codeOf(allocate(partner, 'payment:999999999', debit, 1n)), 'NO_SUCH')
    const within = (side: string) =>
      new RegExp(`settlement_allocations_within_${side}|${side} .* has no`)
    await assert.rejects(() => byHand(partner, credit, debit, 12_001), within('debit'))
    await assert.rejects(
      () => byHand(partner, credit, `statement:${first}`, 20_001),
      within('credit')
    )
    await assert.rejects(() => byHand(partner, debit, credit, 1), within('credit'))
    await assert.rejects(() => byHand(partner, 'payment:999999999', debit, 1), within('credit'))
    await assert.rejects(() => byHand(partner, credit, debit, -1), /check constraint/)
    await allocate(partner, credit, debit, 12_000n)
    await assert.rejects(() => byHand(partner, credit, debit, 1), within('debit'))
    assert.equal(await restOf(partner, credit), -8_000n)
  })

  test('two credits, or two debits, are not put against each other', async ({ assert }) => {
    const { partner, first, second } = await twoStatements()
    const credits = [
      `payment:${await pay(partner, 20_000n, null)}`,
      `memo:${await aMemo(partner, 'adj_credit', 1_000n)}`,
    ] as const
    const debits = [`statement:${first}`, `statement:${second}`] as const
    assert.equal(await fieldOf(allocate(partner, ...credits, 1n)), 'debit')
    assert.equal(await fieldOf(allocate(partner, ...debits, 1n)), 'debit')
  })

  test('an item of another partner is refused', async ({ assert }) => {
    const [mine, other] = [await aStatement(), await aStatement()]
    const paymentId = await pay(mine.partner, 5_000n, null)
    const credit = `payment:${paymentId}`
    const debit = `statement:${other.statementId}`
    assert.equal(await codeOf(allocate(mine.partner, credit, debit, 1n)), 'NO_SUCH')
    await assert.rejects(() => byHand(mine.partner, credit, debit, 1), /has no/)
  })

  test('of two simultaneous allocations of one credit the database refuses the second', async ({
    assert,
  }) => {
    const { partner, first, second } = await twoStatements()
    const paymentId = await pay(partner, 10_000n, null)
    const put = (debit: number) =>
      transaction(async (trx) => {
        await trx.rawQuery(
          `INSERT INTO settlement_allocations (partner_id, credit, debit, amount_tenge, allocated_by) VALUES (?, ?, ?, 10000, 'tests')`,
          [partner.id, `payment:${paymentId}`, `statement:${debit}`]
        )
        // Longer than the other one needs to reach the lock.
        await trx.rawQuery('SELECT pg_sleep(0.3)')
      })
    const outcomes = await Promise.allSettled([put(first), put(second)])
    assert.sameMembers(
      outcomes.map(({ status }) => status),
      ['fulfilled', 'rejected']
    )
    const refused = outcomes.find(({ status }) => status === 'rejected') as PromiseRejectedResult
    assert.match(String(refused.reason), /has no 10000 left/)
    const { n } = await one(
      'SELECT count(*)::int AS n FROM settlement_allocations WHERE partner_id = ?',
      partner.id
    )
    assert.equal(n, 1)
  })

  test('of two simultaneous payments of one statement both are recorded, and one stays open', async ({
    assert,
  }) => {
    const { partner, statementId } = await aStatement()
    const payments = await Promise.all([1, 2].map(() => pay(partner, 24_000n, statementId)))
    const open = await openOf(partner)
    assert.deepEqual(Object.values(open), [-24_000n])
    assert.include(
      payments.map((id) => `payment:${id}`),
      Object.keys(open)[0]
    )
    assert.equal(await sumOfItems(partner), await balanceOf(partner))
  })

  const CHANGES = [
    'UPDATE settlement_allocations SET amount_tenge = 1 WHERE partner_id = ?',
    `UPDATE settlement_allocations SET allocated_by = 'other' WHERE partner_id = ?`,
    'DELETE FROM settlement_allocations WHERE partner_id = ?',
  ]
  test('the database refuses {$self}')
    .with(CHANGES)
    .run(async ({ assert }, sql) => {
      const { partner, statementId } = await aStatement()
      await pay(partner, 5_000n, statementId)
      await assert.rejects(() => ownerRows(sql, partner.id), /is not allowed/)
      await assert.rejects(
        () => ownerRows('TRUNCATE settlement_allocations CASCADE'),
        /is not allowed/
      )
      assert.deepEqual(await stateOf(statementId), ['issued', 'part_paid', 5_000n])
    })

  test('is undone once, whole, by a row of its own', async ({ assert }) => {
    const { partner, statementId } = await aStatement()
    const paymentId = await pay(partner, 5_000n, statementId)
    const { id: allocationId } = await one(
      'SELECT id::int AS id FROM settlement_allocations WHERE partner_id = ?',
      partner.id
    )
    const half = ownerRows(
      `INSERT INTO settlement_allocations (partner_id, credit, debit, amount_tenge, reverses_id, reason, allocated_by)
       SELECT partner_id, credit, debit, -1, id, 'половина', 'tests' FROM settlement_allocations WHERE id = ?`,
      allocationId
    )
    await assert.rejects(() => half, /is not undone by this row/)
    const undo = (by: { code: string } = partner) =>
      codeOf(
        new UndoAllocation().handle({
          partnerCode: by.code,
          allocationId: allocationId as number,
          reason: 'Не та ведомость',
          actor: TESTER,
        })
      )
    assert.equal(await undo(await aPartner()), 'NO_SUCH')
    assert.equal(await undo(), 'no refusal')
    assert.equal(await undo(), 'NO_SUCH')
    assert.deepEqual(await stateOf(statementId), ['issued', 'open', 0n])
    assert.equal(await restOf(partner, `payment:${paymentId}`), -5_000n)
    const stored = await rows(
      'SELECT amount_tenge::text AS tenge, reason FROM settlement_allocations WHERE partner_id = ? ORDER BY id',
      partner.id
    )
    assert.deepEqual(stored, [
      { tenge: '5000', reason: null },
      { tenge: '-5000', reason: 'Не та ведомость' },
    ])
  })

  test('parts of payments that the version before writes are allocations', async ({ assert }) => {
    const { partner, statementId } = await aStatement()
    const paymentId = await pay(partner, 30_000n, null)
    const part = (tenge: number) =>
      ownerRows(
        'INSERT INTO settlement_payment_parts (payment_id, statement_id, amount_tenge) VALUES (?, ?, ?)',
        paymentId,
        statementId,
        tenge
      )
    await assert.rejects(() => part(24_001), /has no 24001 left/)
    await part(24_000)
    for (const status of ['agreed', 'closed', 'paid'])
      await ownerRows(
        'UPDATE settlement_statements SET status = ? WHERE id = ?',
        status,
        statementId
      )
    assert.deepEqual(await stateOf(statementId), ['closed', 'overpaid', 24_000n])
  })
})

test.group('What the bank takes back', () => {
  const reverse = (paymentId: number, more: object = {}) =>
    new ReversePayment().handle({
      paymentId,
      bankReference: `В ${randomUUID()}`,
      paidOn: today(),
      reason: REASON,
      actor: aPerson(),
      ...more,
    })

  test('opens the statement again after it was paid, by rows of its own', async ({ assert }) => {
    const { partner, statementId } = await aStatement()
    const before = await balanceOf(partner)
    const paymentId = await pay(partner, 24_000n, statementId)
    const original = await one('SELECT * FROM settlement_payments WHERE id = ?', paymentId)
    const { reversalId } = await reverse(paymentId)
    assert.deepEqual(await stateOf(statementId), ['issued', 'open', 0n])
    assert.deepEqual(await openOf(partner), { [`statement:${statementId}`]: 24_000n })
    assert.equal(await balanceOf(partner), before)
    assert.deepEqual(
      await one('SELECT * FROM settlement_payments WHERE id = ?', paymentId),
      original
    )
    const back = await one('SELECT * FROM settlement_payments WHERE id = ?', reversalId)
    assert.deepEqual(
      [back.reverses_id, back.direction, back.amount_tenge, back.reason],
      [paymentId, 'to_partner', 24_000n, REASON]
    )
    const allocations = await rows(
      'SELECT credit, debit, amount_tenge::text AS tenge FROM settlement_allocations WHERE partner_id = ? ORDER BY id',
      partner.id
    )
    const [payment, bill] = [`payment:${paymentId}`, `statement:${statementId}`]
    assert.deepEqual(allocations, [
      { credit: payment, debit: bill, tenge: '24000' },
      { credit: payment, debit: bill, tenge: '-24000' },
      { credit: payment, debit: `payment:${reversalId}`, tenge: '24000' },
    ])
    const [entry] = await entriesOf(partner, 'payment_reversed')
    assert.equal(entry.reverses, original.bank_reference)
    await pay(partner, 24_000n, statementId)
    assert.deepEqual(await stateOf(statementId), ['issued', 'paid', 24_000n])
  })

  test('is taken back once, and nothing takes a reversal back', async ({ assert }) => {
    const { partner, statementId } = await aStatement()
    const paymentId = await pay(partner, 24_000n, statementId)
    const yesterday = localDay(new Date(Date.now() - 86_400_000))
    assert.equal(await fieldOf(reverse(paymentId, { paidOn: yesterday })), 'paidOn')
    const outcomes = await Promise.all([1, 2].map(() => codeOf(reverse(paymentId))))
    assert.sameMembers(outcomes, ['no refusal', 'ALREADY_EXISTS'])
    const { id } = await one('SELECT id FROM settlement_payments WHERE reverses_id = ?', paymentId)
    assert.equal(await codeOf(reverse(id as number)), 'NO_SUCH')
    const other = await pay(partner, 1_000n, null)
    const wrong = ownerRows(
      `INSERT INTO settlement_payments (partner_id, bank_reference, paid_on, direction, amount_tenge, recorded_by, reverses_id, reason)
       VALUES (?, ?, ?, 'to_partner', 999, 'tests', ?, 'мимо')`,
      partner.id,
      randomUUID(),
      today(),
      other
    )
    await assert.rejects(() => wrong, /is not reversed by this row/)
  })

  test('waits for a second person above the limit, and where a second person approved the payment', async ({
    assert,
  }) => {
    const { partner } = await aStatement()
    const amountTenge = 50_000_000n
    const { requestId } = await new RecordPayment().handle({
      partnerCode: partner.code,
      bankReference: `П ${randomUUID()}`,
      paidOn: today(),
      direction: 'from_partner',
      amountTenge,
      parts: [],
      actor: aPerson(),
    })
    await new ApproveRequest().handle({ requestId: requestId!, actor: aPerson() })
    const { id: paymentId } = await one(
      'SELECT id FROM settlement_payments WHERE partner_id = ?',
      partner.id
    )
    const asker = aPerson()
    const asked = await reverse(paymentId as number, { actor: asker })
    assert.isNull(asked.reversalId)
    assert.lengthOf(Object.keys(await openOf(partner)), 2)
    const approve = (actor = aPerson()) =>
      codeOf(new ApproveRequest().handle({ requestId: asked.requestId!, actor }))
    assert.equal(await approve(asker), 'OWN_REQUEST')
    assert.equal(await approve(), 'no refusal')
    assert.lengthOf(Object.keys(await openOf(partner)), 1)
    const back = await one('SELECT * FROM settlement_payments WHERE reverses_id = ?', paymentId)
    assert.equal(back.recorded_by, asker.name)
    assert.isNotNull(back.approved_by)
    const { change } = await one(
      `SELECT change FROM journal WHERE partner_id = ? AND name = 'payment_reversed'`,
      partner.id
    )
    assert.equal(change.asked_by, asker.name)
    assert.equal(await codeOf(reverse(paymentId as number)), 'ALREADY_EXISTS')
  })

  test('is in the seal of the next statement', async ({ assert }) => {
    const sale = await aStatement()
    const paymentId = await pay(sale.partner, 24_000n, sale.statementId)
    const { reversalId } = await reverse(paymentId)
    const next = await issueNext(sale)
    assert.deepEqual(await verifyStatement(await findStatement(next)), [])
    const setReason = (reason: string) =>
      ownerRows(
        `WITH free AS (SELECT set_config('session_replication_role', 'replica', true))
         UPDATE settlement_payments SET reason = ? FROM free WHERE id = ?`,
        reason,
        reversalId
      )
    await setReason('другое')
    assert.deepEqual(await verifyStatement(await findStatement(next)), ['data_sha256'])
    await setReason(REASON)
    assert.deepEqual(await verifyStatement(await findStatement(next)), [])
  })
})

test.group('Memos as open items', () => {
  test('a memo stands alone until a statement has it', async ({ assert }) => {
    const sale = await twoStatements()
    const { partner, first, second } = sale
    const memoId = await aMemo(partner, 'adj_credit', 5_000n)
    const penalty = await aMemo(partner, 'penalty', 3_000n)
    assert.deepEqual(await openOf(partner), {
      [`statement:${first}`]: 24_000n,
      [`statement:${second}`]: 12_000n,
      [`memo:${memoId}`]: -5_000n,
      [`memo:${penalty}`]: 3_000n,
    })
    assert.equal(await sumOfItems(partner), await balanceOf(partner))
    await allocate(partner, `memo:${memoId}`, `statement:${first}`, 2_000n)
    await allocate(partner, `memo:${memoId}`, `memo:${penalty}`, 1_000n)
    const third = await issueNext(sale)
    // 12,000 of a ticket, -5,000 and +3,000 of memos; 3,000 of the credit and 1,000 of the penalty are settled elsewhere.
    const { dueTenge, openingTenge, closingTenge } = await findStatement(third)
    assert.equal(closingTenge - openingTenge, 10_000n)
    assert.equal(dueTenge, 12_000n)
    assert.deepEqual(await openOf(partner), {
      [`statement:${first}`]: 22_000n,
      [`statement:${second}`]: 12_000n,
      [`statement:${third}`]: 12_000n,
    })
    assert.equal(await sumOfItems(partner), await balanceOf(partner))
    await assert.rejects(() => byHand(partner, `memo:${memoId}`, `statement:${first}`, 1), /has no/)
  })

  test('a memo that is taken back opens what it was put against', async ({ assert }) => {
    const { partner, statementId } = await aStatement()
    const memoId = await aMemo(partner, 'adj_credit', 5_000n)
    await allocate(partner, `memo:${memoId}`, `statement:${statementId}`, 4_000n)
    const original = await one('SELECT * FROM settlement_memos WHERE id = ?', memoId)
    const reverse = () =>
      codeOf(new ReverseMemo().handle({ memoId, reason: 'По ошибке', actor: aPerson() }))
    assert.equal(await reverse(), 'no refusal')
    assert.equal(await reverse(), 'ALREADY_EXISTS')
    assert.deepEqual(await openOf(partner), { [`statement:${statementId}`]: 24_000n })
    assert.equal(await sumOfItems(partner), await balanceOf(partner))
    assert.deepEqual(await one('SELECT * FROM settlement_memos WHERE id = ?', memoId), original)
    const back = await one('SELECT * FROM settlement_memos WHERE reverses_id = ?', memoId)
    assert.deepEqual([back.kind, back.amount_tenge], ['adj_debit', 5_000n])
    const { id: allocationId } = await one(
      'SELECT id::int AS id FROM settlement_allocations WHERE partner_id = ? AND ? IN (credit, debit)',
      partner.id,
      `memo:${back.id}`
    )
    const apart = new UndoAllocation().handle({
      partnerCode: partner.code,
      allocationId: allocationId as number,
      reason: 'По ошибке',
      actor: aPerson(),
    })
    assert.equal(await codeOf(apart), 'NO_SUCH')
    const again = new ReverseMemo().handle({
      memoId: back.id as number,
      reason: 'Опять',
      actor: aPerson(),
    })
    assert.equal(await codeOf(again), 'NO_SUCH')
  })

  test('a memo that a statement has is taken back by a debit that the next one has', async ({
    assert,
  }) => {
    const sale = await twoStatements()
    const { partner, first, second } = sale
    const memoId = await aMemo(partner, 'adj_credit', 5_000n)
    await allocate(partner, `memo:${memoId}`, `statement:${first}`, 2_000n)
    const third = await issueNext(sale)
    assert.equal(await dueOf(third), 9_000n)
    await new ReverseMemo().handle({ memoId, reason: 'По ошибке', actor: aPerson() })
    const { id: back } = await one('SELECT id FROM settlement_memos WHERE reverses_id = ?', memoId)
    assert.deepEqual(await openOf(partner), {
      [`statement:${first}`]: 24_000n,
      [`statement:${second}`]: 12_000n,
      [`statement:${third}`]: 9_000n,
      [`memo:${back}`]: 3_000n,
    })
    assert.equal(await sumOfItems(partner), await balanceOf(partner))
  })

  test('a large memo, and one that two people made, is taken back by two people', async ({
    assert,
  }) => {
    const { partner } = await aStatement()
    const memoId = await aMemo(partner, 'adj_credit', 500_000n)
    await new ApproveMemo().handle({ memoId, actor: aPerson() })
    const asker = aPerson()
    const { memoId: back, isApproved } = await new ReverseMemo().handle({
      memoId,
      reason: 'По ошибке',
      actor: asker,
    })
    assert.isFalse(isApproved)
    assert.equal(await restOf(partner, `memo:${memoId}`), -500_000n)
    assert.equal(
      await codeOf(new ApproveMemo().handle({ memoId: back, actor: asker })),
      'OWN_REQUEST'
    )
    await new ApproveMemo().handle({ memoId: back, actor: aPerson() })
    assert.isUndefined(await restOf(partner, `memo:${memoId}`))
    assert.equal(await sumOfItems(partner), await balanceOf(partner))
  })
})
