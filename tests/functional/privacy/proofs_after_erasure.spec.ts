import CheckPeriod from '#defects/cases/check_period'
import IssueStatement from '#ledger/actions/issue_statement'
import checkLedger from '#ledger/jobs/check_ledger'
import { findStatement } from '#ledger/queries/find_statement'
import { verifyStatement } from '#ledger/queries/verify_statement'
import { checkWorkbook } from '#returned_workbooks/check/check_workbook'
import { writeSettlementWorkbook } from '#workbooks/writing/write_workbook'
import { listSheets, readTable } from '#spreadsheets/read_table'
import { byEmail, erase } from '#tests/support/buyers'
import { TESTER } from '#tests/support/fixtures'
import { one, ownerRows, rows } from '#tests/support/rows'
import { scratchDirectory } from '#tests/support/scratch_directory'
import { ScriptedMonth, sellWell, STORIES } from '#tests/support/scripted_month'
import { movementsOf, moveInTime } from '#tests/support/settlement'
import { test } from '@japa/runner'

const DAY_MS = 86_400_000

async function textsIn(path: string) {
  const texts: string[] = []
  for (const sheet of await listSheets(path)) {
    const { rows: lines } = await readTable(path, {}, { sheet })
    for await (const { cells } of lines) texts.push(...cells.map(String))
  }
  return texts
}

test.group('Proofs after the buyers of a month were erased', (group) => {
  const scratch = scratchDirectory(group)

  test('ledger, statement, workbook and cases are what they were', async ({ assert }) => {
    const month = await ScriptedMonth.begin()
    for (const story of STORIES) await story.produce(month)
    await sellWell(month)
    const { partner } = month.sale
    const email = `${partner.code}@mail.kz`
    // Every order of the month has its buyer in place of the one that all tests share.
    await ownerRows(
      `UPDATE orders SET customer = jsonb_build_object('email', ?::text) WHERE partner_id = ?`,
      email,
      partner.id
    )
    const period = { from: new Date(Date.now() - 60 * DAY_MS), to: new Date(Date.now() + DAY_MS) }
    await new CheckPeriod().handle({ partnerId: partner.id, ...period })
    await moveInTime(partner, '-45 days')
    const { statementId } = await new IssueStatement().handle({
      partnerCode: partner.code,
      actor: TESTER,
    })
    const path = scratch.at('book.xlsx')
    const scope = { statementId }
    await writeSettlementWorkbook({ partnerCode: partner.code, scope, path, language: 'ru' })
    const texts = await textsIn(path)
    assert.notInclude(texts.join('\n'), email)
    const money = async () => ({
      movements: await movementsOf(partner),
      orders: await rows(
        `SELECT to_jsonb(o) - 'customer' - 'buyer_erased_at' AS row FROM orders o WHERE partner_id = ? ORDER BY id`,
        partner.id
      ),
      tickets: await rows(
        `SELECT t.* FROM tickets t JOIN orders o ON o.id = t.order_id WHERE o.partner_id = ? ORDER BY t.id`,
        partner.id
      ),
      cases: await rows(
        'SELECT key, state, buyer_tenge, platform_tenge, partner_tenge, chain FROM settlement_cases WHERE partner_id = ? ORDER BY key',
        partner.id
      ),
    })
    const before = await money()
    await ownerRows(
      `UPDATE orders SET window_ends_at = now() - interval '1 hour', stored_status = 'expired'
        WHERE partner_id = ? AND stored_status = 'pending'`,
      partner.id
    )
    const beforeErasure = await money()

    const { orders } = await erase(byEmail(email))

    assert.equal(orders, beforeErasure.orders.length)
    assert.isAbove(orders, 10)
    assert.deepEqual(await money(), beforeErasure)
    assert.deepEqual(beforeErasure.movements, before.movements)
    assert.deepEqual(await verifyStatement(await findStatement(statementId)), [])
    const checked = await checkWorkbook(path, { partnerCode: partner.code })
    assert.equal(checked.verdict, 'identical')
    await checkLedger()
    const { n } = await one(
      `SELECT count(*)::int AS n FROM orders WHERE partner_id = ? AND buyer_erased_at IS NULL`,
      partner.id
    )
    assert.equal(n, 0)
    await new CheckPeriod().handle({ partnerId: partner.id, ...period })
    const checkedAgain = await money()
    assert.deepEqual(checkedAgain.cases, beforeErasure.cases)
  })
})
