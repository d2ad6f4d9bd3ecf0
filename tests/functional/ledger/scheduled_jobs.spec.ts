import ChangeStatementStatus from '#ledger/actions/change_statement_status'
import IssueStatement from '#ledger/actions/issue_statement'
import checkLedger from '#ledger/jobs/check_ledger'
import followStatements from '#ledger/jobs/follow_statements'
import { findStatement } from '#ledger/queries/find_statement'
import { readAttention } from '#back_office/overview/attention'
import { aSale, sell, TESTER } from '#tests/support/fixtures'
import { rows } from '#tests/support/rows'
import { moveInTime, setTerms } from '#tests/support/settlement'
import { test } from '@japa/runner'

const byForce = (sql: string, ...values: unknown[]) =>
  rows(
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
    const named = async () => {
      await checkLedger()
      const attention = await readAttention()
      return attention.find(({ kind }) => kind === 'ledger_breached')?.names ?? []
    }
    cleanup(async () => {
      await checkLedger()
    })
    assert.notInclude(await named(), id)
    await change(1)
    assert.include(await named(), id)
    await change(-1)
    assert.notInclude(await named(), id)
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
})
