import IssueStatement from '#ledger/actions/issue_statement'
import RecordPayment from '#ledger/actions/record_payment'
import SupersedeStatement from '#ledger/actions/supersede_statement'
import { findStatement } from '#ledger/queries/find_statement'
import { previewPeriod } from '#ledger/queries/preview_period'
import { verifyStatement, verifyStatementWithin } from '#ledger/queries/verify_statement'
import { localDay } from '#shared/days'
import type { Refusal } from '#shared/refusals'
import { aSale, sell, TESTER, type TestPartner } from '#tests/support/fixtures'
import { rows, ownerRows } from '#tests/support/rows'
import { moveInTime, setTerms } from '#tests/support/settlement'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'

const codeOf = (refused: Promise<unknown>) =>
  refused.then(
    () => 'no refusal',
    (error: unknown) => (error as Refusal).refusalCode
  )
const issue = async ({ code }: TestPartner) => {
  const { statementId } = await new IssueStatement().handle({ partnerCode: code, actor: TESTER })
  return statementId
}
const supersede = (statementId: number) =>
  new SupersedeStatement().handle({ statementId, reason: 'Не тот договор', actor: TESTER })
const byForce = (sql: string, ...values: unknown[]) =>
  ownerRows(
    `WITH free AS (SELECT set_config('session_replication_role', 'replica', true)) ${sql}`,
    ...values
  )

async function aPastMonth(seats: string[][] = [['seat-2-1']]) {
  const sale = await aSale()
  await setTerms(sale.partner)
  const orders: string[] = []
  for (const own of seats) {
    const sold = await sell(sale.client, sale.event.id, own)
    orders.push(sold.order_id as string)
  }
  await moveInTime(sale.partner, '-45 days')
  return { ...sale, orders }
}

test.group('The closing of a period', () => {
  test('is refused for a period with another beginning or end', async ({ assert }) => {
    const { partner } = await aPastMonth()
    const { from, to } = (await previewPeriod(partner.id))!
    const close = (period: { from: Date; to: Date }) =>
      codeOf(new IssueStatement().handle({ partnerCode: partner.code, period, actor: TESTER }))
    const anHourLater = (moment: Date) => new Date(moment.getTime() + 3_600_000)
    assert.equal(await close({ from, to: anHourLater(to) }), 'STALE')
    assert.equal(await close({ from: anHourLater(from), to }), 'STALE')
    assert.equal(await close({ from, to }), 'no refusal')
  })

  test('charges a sale that was in flight while the first terms were set', async ({ assert }) => {
    const { partner, orders } = await aPastMonth()
    await byForce(
      `DELETE FROM ledger_movements USING free WHERE source = ? AND kind IN ('commission', 'vat')`,
      orders[0]
    )
    const { totals } = await findStatement(await issue(partner))
    assert.deepEqual([totals.commission.tenge, totals.vat.tenge], [-900n, -144n])
  })

  test('numbers the lines by the time of their effect', async ({ assert }) => {
    const { partner, orders } = await aPastMonth([['seat-2-1'], ['seat-2-2']])
    const [later, earlier] = orders
    for (const [table, column, id] of [
      ['orders', 'created_at', 'id'],
      ['orders', 'confirmed_at', 'id'],
      ['orders', 'window_ends_at', 'id'],
      ['ledger_movements', 'effective_at', 'order_id'],
    ])
      await byForce(
        `UPDATE ${table} SET ${column} = ${column} - interval '1 hour' FROM free WHERE ${id} = ?`,
        earlier
      )
    const statementId = await issue(partner)
    const lines = await rows(
      `SELECT source FROM ledger_movements WHERE statement_id = ? AND kind = 'sale' ORDER BY line`,
      statementId
    )
    assert.deepEqual(
      lines.map(({ source }) => source as string),
      [earlier, later]
    )
  })

  test('replaces the statement that was withdrawn last, however often', async ({ assert }) => {
    const { partner } = await aPastMonth()
    const first = await issue(partner)
    await supersede(first)
    const second = await issue(partner)
    await supersede(second)
    const third = await findStatement(await issue(partner))
    assert.equal(third.supersedes?.id, second)
  })

  test('a first statement that begins with a balance is found', async ({ assert }) => {
    const { partner } = await aPastMonth()
    const statementId = await issue(partner)
    const trx = await db.connection('owner').transaction()
    // A CHECK refuses it, as long as nobody takes the CHECK away.
    await trx.rawQuery(`SET LOCAL session_replication_role = 'replica'`)
    await trx.rawQuery(
      'ALTER TABLE settlement_statements DROP CONSTRAINT settlement_statements_check2'
    )
    await trx.rawQuery(
      'UPDATE settlement_statements SET opening_tenge = 500, closing_tenge = closing_tenge + 500 WHERE id = ?',
      [statementId]
    )
    const wrong = await verifyStatementWithin(await findStatement(statementId, trx), trx)
    await trx.rollback()
    assert.include(wrong, 'prev_sha256')
  })

  test('seals no allocation of another partner', async ({ assert }) => {
    const other = await aPastMonth()
    const paid = { partnerCode: other.partner.code, direction: 'from_partner' } as const
    await new RecordPayment().handle({
      ...paid,
      bankReference: `П ${other.partner.code}`,
      paidOn: localDay(new Date()),
      amountTenge: 1_000n,
      parts: [{ statementId: await issue(other.partner), amountTenge: 1_000n }],
      actor: TESTER,
    })
    const { partner } = await aPastMonth()
    const statementId = await issue(partner)
    const rename = (by: string) =>
      byForce(
        'UPDATE settlement_allocations SET allocated_by = ? FROM free WHERE partner_id = ?',
        by,
        other.partner.id
      )
    await rename('somebody else')
    const wrong = await verifyStatement(await findStatement(statementId))
    // Other tests verify all statements.
    await rename(TESTER.name)
    assert.deepEqual(wrong, [])
  })

  test('a withdrawn statement is refused as withdrawn, also when it is not the last one', async ({
    assert,
  }) => {
    const sale = await aPastMonth()
    await moveInTime(sale.partner, '-31 days')
    const first = await issue(sale.partner)
    await sell(sale.client, sale.event.id, ['seat-2-5'])
    await moveInTime(sale.partner, '-45 days')
    const second = await issue(sale.partner)
    await supersede(second)
    assert.equal(await codeOf(supersede(second)), 'STATUS_NOT_REACHABLE')
    const { status } = await findStatement(first)
    assert.equal(status, 'issued')
  })
})
