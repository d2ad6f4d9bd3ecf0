import ChangeStatementStatus from '#ledger/actions/change_statement_status'
import IssueStatement from '#ledger/actions/issue_statement'
import checkLedger from '#ledger/jobs/check_ledger'
import { dueBefore, verifyDueStatements } from '#ledger/jobs/verify_statements'
import followStatements from '#ledger/jobs/follow_statements'
import { findStatement } from '#ledger/queries/find_statement'
import { readAttention } from '#back_office/overview/attention'
import { aSale, sell, TESTER } from '#tests/support/fixtures'
import { one, ownerOne, ownerRows, rows } from '#tests/support/rows'
import { moveInTime, setTerms } from '#tests/support/settlement'
import { test } from '@japa/runner'

const byForce = (sql: string, ...values: unknown[]) =>
  ownerRows(
    `WITH free AS (SELECT set_config('session_replication_role', 'replica', true)) ${sql}`,
    ...values
  )

async function anIssued(silenceAgrees: boolean) {
  const { client, event, partner } = await aSale()
  await setTerms(partner, { silenceAgrees })
  await sell(client, event.id, ['seat-2-1'])
  await moveInTime(partner, '-45 days')
  const { statementId } = await new IssueStatement().handle({
    partnerCode: partner.code,
    actor: TESTER,
  })
  const overdue = () =>
    byForce(
      `UPDATE settlement_statements SET dispute_until = clock_timestamp() FROM free WHERE id = ?`,
      statementId
    )
  return { statementId, overdue }
}
const statusOf = async (statementId: number) => {
  const { status } = await findStatement(statementId)
  return status
}

test.group('Scheduled jobs of the ledger', () => {
  test('a ledger that disagrees with its orders is listed as needing attention', async ({
    assert,
    cleanup,
  }) => {
    const { client, event } = await aSale()
    const { order_id: id } = await sell(client, event.id, ['seat-2-1'])
    const change = (by: number) =>
      byForce(
        `UPDATE ledger_movements SET amount_tenge = amount_tenge + ? FROM free WHERE source = ? AND kind = 'sale'`,
        by,
        id
      )
    // Other specs leave ledgers that disagree: the list names the first ones and counts all.
    const listed = async () => {
      await checkLedger()
      const attention = await readAttention()
      return attention.find(({ kind }) => kind === 'ledger_breached')?.count ?? 0
    }
    const named = async () => {
      const { breaches } = await one('SELECT breaches FROM ledger_checks ORDER BY id DESC LIMIT 1')
      return JSON.stringify(breaches)
    }
    cleanup(async () => {
      await checkLedger()
    })
    const before = await listed()
    assert.notInclude(await named(), id)
    await change(1)
    assert.equal(await listed(), before + 1)
    assert.include(await named(), id)
    await change(-1)
    assert.equal(await listed(), before)
  })

  test('a sale of yesterday is compared, too: nobody may have worked since', async ({
    assert,
    cleanup,
  }) => {
    const { client, event, partner } = await aSale()
    const { order_id: id } = await sell(client, event.id, ['seat-2-1'])
    await moveInTime(partner, '-25 hours')
    const change = (by: number) =>
      byForce(
        `UPDATE ledger_movements SET amount_tenge = amount_tenge + ? FROM free WHERE source = ? AND kind = 'sale'`,
        by,
        id
      )
    cleanup(async () => {
      await change(-1)
      await checkLedger()
    })
    await change(1)
    await checkLedger()
    const { breaches } = await one('SELECT breaches FROM ledger_checks ORDER BY id DESC LIMIT 1')
    assert.include(JSON.stringify(breaches), id)
  })

  test('a statement whose data were changed is listed as needing attention until they are right again', async ({
    assert,
  }) => {
    const { statementId } = await anIssued(true)
    const whole = await anIssued(true)
    const { number } = await findStatement(statementId)
    const name = `SET-${String(number).padStart(6, '0')}`
    const named = async () => {
      await verifyDueStatements(new Date(Date.now() + 1_000))
      const attention = await readAttention()
      return attention.find(({ kind }) => kind === 'statements_changed')?.names ?? []
    }
    const changeBin = (bin: string) =>
      byForce(
        `UPDATE settlement_terms SET bin = ? FROM free
          WHERE id = (SELECT terms_id FROM settlement_statements WHERE id = ?)`,
        bin,
        statementId
      )
    assert.notInclude(await named(), name)
    await changeBin('999999999999')
    assert.include(await named(), name)
    const checks = await rows(
      'SELECT statement_id AS id, wrong FROM settlement_statement_checks WHERE statement_id IN (?, ?) ORDER BY 1',
      statementId,
      whole.statementId
    )
    assert.deepEqual(checks, [
      { id: statementId, wrong: ['data_sha256'] },
      { id: whole.statementId, wrong: [] },
    ])
    await changeBin('123456789013')
    assert.notInclude(await named(), name)
  })

  test('statements are verified once a night, and by day only after two days without', ({
    assert,
  }) => {
    const due = (now: string) => dueBefore(new Date(now)).toISOString()
    assert.equal(due('2026-11-24T20:00:00Z'), '2026-11-24T02:00:00.000Z', '1:00 at the venues')
    assert.equal(due('2026-11-25T00:59:59Z'), '2026-11-24T06:59:59.000Z', '5:59:59')
    assert.equal(due('2026-11-25T01:00:00Z'), '2026-11-23T01:00:00.000Z', '6:00')
    assert.equal(due('2026-11-24T19:59:59Z'), '2026-11-22T19:59:59.000Z', '0:59:59')
  })

  test('a statement that was verified is not verified again before it is due', async ({
    assert,
  }) => {
    const { statementId } = await anIssued(true)
    await verifyDueStatements(new Date(Date.now() + 1_000))
    const at = () =>
      rows('SELECT checked_at FROM settlement_statement_checks WHERE statement_id = ?', statementId)
    const before = await at()
    await verifyDueStatements(new Date(Date.now() - 60_000))
    assert.deepEqual(await at(), before)
  })

  test('a statement without an answer is agreed after its time, only where the terms say so', async ({
    assert,
  }) => {
    const [silent, strict, early, disputed] = [
      await anIssued(true),
      await anIssued(false),
      await anIssued(true),
      await anIssued(true),
    ]
    const dispute = { statementId: disputed.statementId, trigger: 'dispute' as const, note: 'Нет' }
    await new ChangeStatementStatus().handle({ ...dispute, actor: TESTER })
    for (const { overdue } of [silent, strict, disputed]) await overdue()
    await followStatements()
    const statuses = await Promise.all(
      [silent, strict, early, disputed].map(({ statementId }) => statusOf(statementId))
    )
    assert.deepEqual(statuses, ['agreed', 'issued', 'issued', 'disputed'])
  })

  test('a statement that cannot be computed is reported, and the others are verified', async ({
    assert,
  }) => {
    const [broken, whole] = [await anIssued(true), await anIssued(true)]
    const setTotals = (totals: unknown) =>
      byForce(
        'UPDATE settlement_statements SET totals = ?::jsonb FROM free WHERE id = ?',
        JSON.stringify(totals),
        broken.statementId
      )
    const { totals } = await one(
      'SELECT totals FROM settlement_statements WHERE id = ?',
      broken.statementId
    )
    await setTotals({ sale: [1, 1, 'x'] })
    const verified = verifyDueStatements(new Date(Date.now() + 1_000))
    await assert.rejects(() => verified, /BigInt/)
    await setTotals(totals)
    const checked = await rows(
      'SELECT wrong FROM settlement_statement_checks WHERE statement_id = ?',
      whole.statementId
    )
    assert.deepEqual(checked, [{ wrong: [] }])
  })

  test('checks of the ledger without a breach are kept for 90 days, others for ever', async ({
    assert,
  }) => {
    const add = async (breaches: object[], days: number) => {
      const { id } = await ownerOne(
        `INSERT INTO ledger_checks (checked_at, checked_from, checked_to, breaches)
         VALUES (now() - make_interval(days => ?), now() - interval '91 days', now() - interval '90 days', ?::jsonb) RETURNING id`,
        days,
        JSON.stringify(breaches)
      )
      return String(id)
    }
    const breach = { code: 'MOVEMENT_WRONG', subject: 'x', partnerId: 1 }
    const [clean, breached, recent] = [
      await add([], 91),
      await add([breach], 91),
      await add([], 89),
    ]
    await checkLedger()
    const kept = await rows('SELECT id FROM ledger_checks')
    const ids = kept.map(({ id }) => String(id))
    assert.deepEqual(
      [clean, breached, recent].map((id) => ids.includes(id)),
      [false, true, true]
    )
  })
})
