import { RequestMemo } from '#ledger/actions/memos'
import ChangeStatementStatus from '#ledger/actions/change_statement_status'
import IssueStatement from '#ledger/actions/issue_statement'
import RecordPayment from '#ledger/actions/record_payment'
import SupersedeStatement from '#ledger/actions/supersede_statement'
import { findStatement } from '#ledger/queries/find_statement'
import { verifyStatement, verifyStatementWithin } from '#ledger/queries/verify_statement'
import { findChangedDocuments } from '#invariants/rules/money'
import { SEALED_COLUMNS, UNSEALED_COLUMNS, type SealedTable } from '#ledger/seal'
import type { Refusal } from '#shared/refusals'
import { BackgroundThrottle } from '#shared/background_throttle'
import { transaction } from '#shared/transaction'
import { aPartner, aSale, sell, TESTER, type TestPartner } from '#tests/support/fixtures'
import { one, ownerRows, rows } from '#tests/support/rows'
import { moveInTime, setTerms } from '#tests/support/settlement'
import db from '@adonisjs/lucid/services/db'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { test } from '@japa/runner'

const TABLES = Object.keys(SEALED_COLUMNS) as SealedTable[]

const issue = async ({ code }: TestPartner) => {
  const { statementId } = await new IssueStatement().handle({ partnerCode: code, actor: TESTER })
  return statementId
}
const byForce = (sql: string, ...values: unknown[]) =>
  ownerRows(
    `WITH free AS (SELECT set_config('session_replication_role', 'replica', true)) ${sql}`,
    ...values
  )

/** A correction of the statement's first line. */
const aMemo = (partner: TestPartner, statementId: number) =>
  new RequestMemo().handle({
    partnerCode: partner.code,
    kind: 'adj_credit',
    amountTenge: 500n,
    reason: 'Возврат мимо системы',
    origin: { statementId, line: 1 },
    actor: TESTER,
  })

/** Two statements; the second has a sale, a memo that corrects the first one, and the payment of the first one. */
async function twoStatements() {
  const { client, event, partner } = await aSale()
  await setTerms(partner)
  await sell(client, event.id, ['seat-2-1', 'seat-2-2'])
  await moveInTime(partner, '-3 months')
  const first = await issue(partner)
  for (const trigger of ['agree', 'close'] as const)
    await new ChangeStatementStatus().handle({
      statementId: first,
      trigger,
      note: null,
      actor: TESTER,
    })
  await new RecordPayment().handle({
    partnerCode: partner.code,
    bankReference: `П-77-${partner.code}`,
    paidOn: '2026-11-20',
    direction: 'from_partner',
    amountTenge: 5_000n,
    parts: [{ statementId: first, amountTenge: 3_000n }],
    actor: TESTER,
  })
  await aMemo(partner, first)
  await sell(client, event.id, ['seat-2-5'])
  await moveInTime(partner, '-2 months')
  const second = await issue(partner)
  return { partner, client, event, first, second }
}

interface Column {
  name: string
  type: string
}
const columnsOf = (table: string) =>
  rows(
    `SELECT column_name AS name, data_type AS type FROM information_schema.columns
      WHERE table_schema = 'public' AND table_name = ? ORDER BY ordinal_position`,
    table
  ) as Promise<Column[]>

/** SQL of another value than a column has, by its type. */
const CHANGES: Record<string, (name: string) => string> = {
  'smallint': (name) => `coalesce(${name}, 0) + 1`,
  'integer': (name) => `coalesce(${name}, 0) + 1000000`,
  'bigint': (name) => `coalesce(${name}, 0) + 1`,
  'boolean': (name) => `NOT ${name}`,
  'date': (name) => `coalesce(${name}, '2026-01-01') + 1`,
  'jsonb': () => `'{}'`,
  'timestamp with time zone': (name) => `${name} + interval '1 microsecond'`,
  'text': (name) => `coalesce(${name}, '') || 'x'`,
}
/** Where the type allows only some values. */
const CHANGED_VALUES: Record<string, string> = {
  'ledger_movements.kind': `'payment'`,
  'settlement_terms.commission_bp': 'commission_bp + 1',
  'settlement_terms.vat_bp': 'vat_bp + 1',
  'settlement_statements.prev_sha256': `repeat('0', 64)`,
}

/** Which rows a statement covers. `$1` is its id. */
const ROWS_OF: Record<SealedTable, string> = {
  ledger_movements: 'statement_id = ?',
  settlement_memos: `'memo:' || id IN (SELECT source FROM ledger_movements WHERE statement_id = ?)`,
  settlement_payments: `'payment:' || id IN (SELECT source FROM ledger_movements WHERE statement_id = ?)`,
  settlement_allocations: 'credit IN (SELECT source FROM ledger_movements WHERE statement_id = ?)',
  settlement_terms: 'id IN (SELECT terms_id FROM ledger_movements WHERE statement_id = ?)',
  settlement_statements: 'id = ?',
}

class Undone extends Error {}
/** What `work` returns, of a transaction that leaves nothing. */
async function undone<Result>(work: (trx: TransactionClientContract) => Promise<Result>) {
  let result: Result
  await db
    .connection('owner')
    .transaction(async (trx) => {
      result = await work(trx)
      throw new Undone()
    })
    .catch((error: unknown) => {
      if (!(error instanceof Undone)) throw error
    })
  return result!
}

/** Turns everything off that would refuse a change, within a transaction. */
async function disarm(trx: TransactionClientContract, table: string) {
  await trx.rawQuery(`SET LOCAL session_replication_role = 'replica'`)
  const { rows: checks } = await trx.rawQuery(
    `SELECT conname FROM pg_constraint WHERE conrelid = ?::regclass AND contype IN ('c', 'u')
        AND NOT EXISTS (SELECT 1 FROM pg_constraint f WHERE f.contype = 'f' AND f.conindid = pg_constraint.conindid)`,
    [table]
  )
  for (const { conname } of checks)
    await trx.rawQuery(`ALTER TABLE ${table} DROP CONSTRAINT ${conname}`)
  const columns = await columnsOf(table)
  if (columns.some(({ name }) => name === 'id'))
    await trx.rawQuery(`ALTER TABLE ${table} ALTER COLUMN id DROP IDENTITY`)
}

test.group('The seal of a statement', () => {
  test('covers every column of its tables, or the code says that it leaves the column out', async ({
    assert,
  }) => {
    for (const table of TABLES) {
      const columns = await columnsOf(table)
      const decided = [...Object.keys(SEALED_COLUMNS[table]), ...UNSEALED_COLUMNS[table]]
      assert.sameMembers(
        columns.map(({ name }) => name),
        decided,
        table
      )
    }
  })

  test('a change of any covered column is found', async ({ assert }) => {
    const { second } = await twoStatements()
    const stranger = await aPartner()
    assert.deepEqual(await verifyStatement(await findStatement(second)), [])
    for (const table of TABLES)
      for (const { name, type } of await columnsOf(table)) {
        if (!(name in SEALED_COLUMNS[table])) continue
        const value =
          name === 'partner_id'
            ? String(stranger.id)
            : (CHANGED_VALUES[`${table}.${name}`] ?? CHANGES[type](name))
        const wrong = await undone(async (trx) => {
          await disarm(trx, table)
          const { rowCount } = await trx.rawQuery(
            `UPDATE ${table} SET ${name} = ${value} WHERE ${ROWS_OF[table]}`,
            [second]
          )
          assert.isAbove(rowCount, 0, `${table}.${name} was changed`)
          return verifyStatementWithin(await findStatement(second, trx), trx)
        })
        assert.include(wrong, 'data_sha256', `${table}.${name}`)
      }
  })

  test('any change of a memo or payment that stands in no statement is found by its own seal', async ({
    assert,
  }) => {
    const [partner, stranger] = [await aPartner(), await aPartner()]
    const { paymentId } = await new RecordPayment().handle({
      partnerCode: partner.code,
      bankReference: `П-79-${partner.code}`,
      paidOn: '2026-11-20',
      direction: 'from_partner',
      amountTenge: 5_000n,
      parts: [],
      actor: TESTER,
    })
    const memo = { kind: 'adj_credit', amountTenge: 500n, reason: 'Ошибка', origin: null } as const
    const by = { partnerCode: partner.code, actor: TESTER }
    const { memoId } = await new RequestMemo().handle({ ...memo, ...by })
    const documents = { settlement_payments: paymentId, settlement_memos: memoId }
    const found = async (trx: TransactionClientContract) => {
      const scope = { asOf: new Date().toISOString(), since: null, sinceEntry: 0n }
      const throttle = new BackgroundThrottle({
        hasRecentRequests: async () => false,
        pauseFactor: 0,
      })
      const { counterexamples } = await findChangedDocuments(scope, { trx, throttle })
      const own = [`payment:${paymentId}`, `memo:${memoId}`, `decision:${memoId}`]
      return counterexamples.filter(({ label }) => own.includes(label)).map(({ code }) => code)
    }
    assert.deepEqual(await undone(found), [], 'untouched')
    for (const [table, id] of Object.entries(documents)) {
      const afterForce = (sql: string) =>
        undone(async (trx) => {
          await disarm(trx, table)
          await trx.rawQuery(`${sql} WHERE id = ${id}`)
          return found(trx)
        })
      for (const { name, type } of await columnsOf(table)) {
        if (name === 'id' || !(name in SEALED_COLUMNS[table as SealedTable])) continue
        const value = name === 'partner_id' ? String(stranger.id) : CHANGES[type](name)
        const codes = await afterForce(`UPDATE ${table} SET ${name} = ${value}`)
        assert.include(codes, 'DOCUMENT_CHANGED', `${table}.${name}`)
      }
      assert.include(await afterForce(`DELETE FROM ${table}`), 'DOCUMENT_GONE', table)
    }
    const unsealed = await undone(async (trx) => {
      await trx.rawQuery(`SET LOCAL session_replication_role = 'replica'`)
      await trx.rawQuery(`DELETE FROM settlement_seals WHERE document = 'payment:${paymentId}'`)
      return found(trx)
    })
    assert.deepEqual(unsealed, ['DOCUMENT_NOT_SEALED'])
  })

  test('a row that is taken out of a statement, or added to it, is found', async ({ assert }) => {
    const { second } = await twoStatements()
    for (const table of TABLES.filter((name) => name !== 'settlement_statements')) {
      const wrong = await undone(async (trx) => {
        await disarm(trx, table)
        await trx.rawQuery(`DELETE FROM ${table} WHERE ${ROWS_OF[table]}`, [second])
        return verifyStatementWithin(await findStatement(second, trx), trx)
      })
      assert.include(wrong, 'data_sha256', table)
    }
    const wrong = await undone(async (trx) => {
      await disarm(trx, 'settlement_allocations')
      await trx.rawQuery(
        `INSERT INTO settlement_allocations (id, partner_id, credit, debit, amount_tenge, allocated_by, allocated_at)
         SELECT id + 1000000, partner_id, credit, 'statement:' || ?, 1, allocated_by, allocated_at
           FROM settlement_allocations WHERE ${ROWS_OF.settlement_allocations}`,
        [second, second]
      )
      return verifyStatementWithin(await findStatement(second, trx), trx)
    })
    assert.deepEqual(wrong, ['data_sha256'])
  })

  test('a superseded statement is verified by the lines that it keeps, and a changed one is found', async ({
    assert,
  }) => {
    const { second } = await twoStatements()
    await new SupersedeStatement().handle({
      statementId: second,
      reason: 'Не тот договор',
      actor: TESTER,
    })
    assert.deepEqual(await verifyStatement(await findStatement(second)), [])
    for (const change of ['line = line + 1', 'movement_id = movement_id + 1']) {
      const wrong = await undone(async (trx) => {
        await trx.rawQuery(`SET LOCAL session_replication_role = 'replica'`)
        await trx.rawQuery(
          `UPDATE settlement_superseded_lines SET ${change}
            WHERE statement_id = ? AND line = (SELECT max(line) FROM settlement_superseded_lines WHERE statement_id = ?)`,
          [second, second]
        )
        return verifyStatementWithin(await findStatement(second, trx), trx)
      })
      assert.include(wrong, 'data_sha256', change)
    }
  })

  test('a payment that is recorded after the issue, and a change of status, leave the seal as it is', async ({
    assert,
  }) => {
    const { partner, first, second } = await twoStatements()
    await new RecordPayment().handle({
      partnerCode: partner.code,
      bankReference: `П-78-${partner.code}`,
      paidOn: '2026-11-21',
      direction: 'from_partner',
      amountTenge: 1_000n,
      parts: [{ statementId: first, amountTenge: 1_000n }],
      actor: TESTER,
    })
    await new ChangeStatementStatus().handle({
      statementId: second,
      trigger: 'dispute',
      note: 'Нет',
      actor: TESTER,
    })
    for (const id of [first, second])
      assert.deepEqual(await verifyStatement(await findStatement(id)), [])
  })

  test('what a seal covers cannot be changed, deleted or emptied', async ({ assert }) => {
    const { second } = await twoStatements()
    for (const table of TABLES) {
      for (const { name, type } of await columnsOf(table)) {
        if (!(name in SEALED_COLUMNS[table])) continue
        if (table === 'ledger_movements' && name === 'line') continue
        const value = CHANGED_VALUES[`${table}.${name}`] ?? CHANGES[type](name)
        await assert.rejects(
          () => ownerRows(`UPDATE ${table} SET ${name} = ${value} WHERE ${ROWS_OF[table]}`, second),
          /is not allowed|is settled|can only be updated to DEFAULT/
        )
      }
      await assert.rejects(
        () => ownerRows(`DELETE FROM ${table} WHERE ${ROWS_OF[table]}`, second),
        /is not allowed/
      )
      await assert.rejects(() => ownerRows(`TRUNCATE ${table} CASCADE`), /is not allowed/)
    }
    await assert.rejects(() => ownerRows('TRUNCATE settlement_superseded_lines'), /is not allowed/)
  })

  test('a memo that waits for its decision takes the decision and no other change', async ({
    assert,
  }) => {
    const partner = await aPartner()
    const { memoId } = await new RequestMemo().handle({
      partnerCode: partner.code,
      kind: 'penalty',
      amountTenge: 100_001n,
      reason: 'Позднее подтверждение',
      origin: null,
      actor: TESTER,
    })
    for (const change of ['amount_tenge = 1', `reason = 'x'`, `asked_by = 'x'`])
      await assert.rejects(
        () => ownerRows(`UPDATE settlement_memos SET ${change} WHERE id = ?`, memoId),
        /is not allowed/
      )
    const { reason } = await one('SELECT reason FROM settlement_memos WHERE id = ?', memoId)
    assert.equal(reason, 'Позднее подтверждение')
  })

  test('a period is not closed after a statement that has been changed', async ({ assert }) => {
    const { partner, first } = await twoStatements()
    await new SupersedeStatement().handle({
      statementId: (await one(
        'SELECT last_statement_id AS id FROM settlement_accounts WHERE partner_id = ?',
        partner.id
      ).then(({ id }) => id)) as number,
      reason: 'Не тот договор',
      actor: TESTER,
    })
    const change = (by: string) =>
      byForce(
        `UPDATE settlement_terms SET legal_name = ? FROM free WHERE partner_id = ?`,
        by,
        partner.id
      )
    await change('ТОО «Другие»')
    const refused = await issue(partner).then(
      () => null,
      (error: unknown) => error as Refusal
    )
    assert.equal(refused?.refusalCode, 'STATEMENT_BLOCKED')
    const { number } = await findStatement(first)
    assert.deepEqual(refused?.details, {
      breaches: [{ code: 'STATEMENT_CHANGED', subject: `SET-${String(number).padStart(6, '0')}` }],
    })
    await change('ТОО «Продажи»')
    assert.deepEqual(await verifyStatement(await findStatement(await issue(partner))), [])
  })

  test('a period is not closed with a memo, decision or payment that is no longer what was recorded', async ({
    assert,
  }) => {
    const { partner, first, client, event } = await twoStatements()
    const reference = `П-78-${partner.code}`
    await new RecordPayment().handle({
      partnerCode: partner.code,
      bankReference: reference,
      paidOn: '2026-11-21',
      direction: 'from_partner',
      amountTenge: 1_000n,
      parts: [{ statementId: first, amountTenge: 1_000n }],
      actor: TESTER,
    })
    const { memoId } = await aMemo(partner, first)
    await sell(client, event.id, ['seat-2-6'])
    await moveInTime(partner, '-1 month')
    const { number } = await one('SELECT number FROM settlement_memos WHERE id = ?', memoId)
    const memo = `MEM-${String(number).padStart(6, '0')}`
    for (const [table, column, key, id, document] of [
      ['settlement_memos', 'reason', 'id', memoId, memo],
      ['settlement_memos', 'decided_by', 'id', memoId, memo],
      ['settlement_payments', 'recorded_by', 'bank_reference', reference, reference],
    ]) {
      const change = (value: string) =>
        byForce(`UPDATE ${table} SET ${column} = ${value} FROM free WHERE ${key} = ?`, id)
      await change(`'x' || ${column}`)
      const refused = await issue(partner).then(
        () => null,
        (error: unknown) => error as Refusal
      )
      assert.equal(refused?.refusalCode, 'DOCUMENTS_CHANGED', String(column))
      assert.deepEqual(refused?.details, { documents: [document] }, String(column))
      await change(`substr(${column}, 2)`)
    }
    assert.deepEqual(await verifyStatement(await findStatement(await issue(partner))), [])
  })

  test('a statement is linked to the one before by its partner, end, balance and hash', async ({
    assert,
  }) => {
    const { first, second } = await twoStatements()
    const other = await aPartner()
    for (const change of [
      `partner_id = ${other.id}`,
      `period_to = period_to + interval '1 second'`,
      'closing_tenge = closing_tenge + 1',
      `data_sha256 = repeat('0', 64)`,
    ]) {
      const wrong = await undone(async (trx) => {
        await trx.rawQuery(`SET LOCAL session_replication_role = 'replica'`)
        await trx.rawQuery(`UPDATE settlement_statements SET ${change} WHERE id = ?`, [first])
        return verifyStatementWithin(await findStatement(second, trx), trx)
      })
      assert.deepEqual(wrong, ['prev_sha256'], change)
    }
  })

  test('late lines are counted again', async ({ assert }) => {
    const { second } = await twoStatements()
    const wrong = await undone(async (trx) => {
      await trx.rawQuery(`SET LOCAL session_replication_role = 'replica'`)
      await trx.rawQuery(
        'UPDATE settlement_statements SET late_lines = late_lines + 1 WHERE id = ?',
        [second]
      )
      return verifyStatementWithin(await findStatement(second, trx), trx)
    })
    assert.include(wrong, 'lines')
  })

  test('a statement of the first form is verified by that form', async ({ assert }) => {
    const { first, second } = await twoStatements()
    const found = await findStatement(first)
    const old = await transaction(async (trx) => {
      const { digestFirstForm } = await import('#ledger/statement_digest')
      return digestFirstForm(found, { statementId: first, isSuperseded: false }, trx)
    })
    await byForce(
      `UPDATE settlement_statements SET hash_version = 1, data_sha256 = ? FROM free WHERE id = ?`,
      old.sha256,
      first
    )
    assert.deepEqual(await verifyStatement(await findStatement(first)), [])
    // The next one still names the hash that the first one had.
    assert.deepEqual(await verifyStatement(await findStatement(second)), ['prev_sha256'])
  })
})
