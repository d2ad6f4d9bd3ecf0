import type { OrderPage } from '#back_office/orders/orders_props'
import SupersedeStatement from '#ledger/actions/supersede_statement'
import { statementNumber } from '#ledger/statement_status'
import { aStaffMember } from '#tests/support/browser'
import { aCaseOfTwoParties, lateCase } from '#tests/support/cases'
import { aSale, sell, TESTER } from '#tests/support/fixtures'
import { issueFor } from '#tests/support/mails'
import { refund } from '#tests/support/operations'
import { signedIn } from '#tests/support/page_client'
import {
  fileOf,
  lineOf,
  matchedRegister,
  registerOfTwoSheets,
  soldOrderOf,
} from '#tests/support/registers'
import { one, ownerRows } from '#tests/support/rows'
import { moveInTime, setTerms } from '#tests/support/settlement'
import type { Role } from '#staff/role'
import { test } from '@japa/runner'

async function pageOf(orderId: string, role: Role = 'finance') {
  const client = await signedIn(await aStaffMember(role))
  const { props } = await client.get(`/orders/${orderId}`)
  return props as OrderPage
}

/** A closed month with one order of two tickets, and the order's balance by the movements themselves. */
async function anOrderInAStatement() {
  const sale = await aSale()
  const sold = await sell(sale.client, sale.event.id, ['seat-2-1', 'seat-2-2'])
  await sell(sale.client, sale.event.id, ['seat-2-3'])
  await setTerms(sale.partner)
  await moveInTime(sale.partner, '-45 days')
  const { statementId } = await issueFor(sale.partner)
  return { ...sale, sold, orderId: sold.order_id, statementId }
}
const movedOf = (orderId: string) =>
  one(
    `SELECT count(*)::int AS movements, sum(amount_tenge)::float8 AS tenge FROM ledger_movements
      WHERE order_id = ? AND statement_id IS NOT NULL`,
    orderId
  )

test.group('An order’s page for finance', () => {
  test('shows its cases with state and money by party', async ({ assert }) => {
    const { key, caseId } = await aCaseOfTwoParties()
    const { settlement } = await pageOf(key)
    assert.lengthOf(settlement!.cases, 1)
    assert.deepInclude(settlement!.cases[0], {
      id: caseId,
      state: 'open',
      isOpen: true,
      exposure: { buyer: 12_000, platform: 12_000, partner: 0 },
    })
    await ownerRows('UPDATE settlement_cases SET gone_at = clock_timestamp() WHERE id = ?', caseId)
    const after = await pageOf(key, 'auditor')
    assert.deepEqual(after.settlement!.cases, [])
  })

  test('shows the register lines judged with it, and a register that lacks it', async ({
    assert,
  }) => {
    const sale = await aSale()
    await setTerms(sale.partner)
    const here = await soldOrderOf(sale, ['seat-2-1'])
    const lacking = await soldOrderOf(sale, ['seat-2-2'])
    const registerId = await matchedRegister(sale.partner, fileOf(await lineOf(here)))
    const line = { registerId, fileName: 'реестр.csv', state: 'matched', otherOrders: 0 }
    const found = await pageOf(here)
    assert.deepEqual(found.settlement!.registerLines, [
      { ...line, line: 2, category: 'MATCHED', tenge: 12_000 },
    ])
    const missing = await pageOf(lacking)
    assert.deepEqual(missing.settlement!.registerLines, [
      { ...line, line: null, category: 'MISSING_AT_PARTNER', tenge: null },
    ])
    await ownerRows(`UPDATE partner_registers SET state = 'dropped' WHERE id = ?`, registerId)
    const dropped = await pageOf(here)
    assert.deepEqual(dropped.settlement!.registerLines, [])
  })

  test('names the sheets and files of a register that has several', async ({ assert }) => {
    const { registerId, second } = await registerOfTwoSheets()
    const { settlement } = await pageOf(second)
    const [{ line }] = settlement!.registerLines
    assert.equal(line, 4)
    assert.deepEqual(settlement!.partsOfRegisters, {
      [registerId]: [
        { number: 1, fileName: 'a.xlsx', sheet: 'Касса', firstLine: 1, registerId },
        { number: 2, fileName: 'a.xlsx', sheet: 'Сайт', firstLine: 3, registerId },
      ],
    })
  })

  test('shows the statements with its movements, and those in no statement yet', async ({
    assert,
  }) => {
    const { client, sold, orderId, statementId } = await anOrderInAStatement()
    const { number } = await one(
      'SELECT number FROM settlement_statements WHERE id = ?',
      statementId
    )
    const before = await pageOf(orderId)
    const [only, ...none] = before.settlement!.statements
    assert.deepEqual(none, [])
    const closed = { id: statementId, number: statementNumber(number as number), status: 'issued' }
    assert.deepInclude(only, { ...closed, ...(await movedOf(orderId)) })
    assert.isAbove(new Date(only.to!).getTime(), new Date(only.from!).getTime())

    await refund(client, orderId, [sold.tickets[0].ticket_id], 'Заболел')
    const { settlement } = await pageOf(orderId)
    const [open, same] = settlement!.statements
    assert.deepInclude(open, { id: null, number: null, from: null, status: null })
    assert.isBelow(open.tenge, 0)
    assert.deepInclude(same, closed)
  })

  test('shows a withdrawn statement next to the open period', async ({ assert }) => {
    const { orderId, statementId } = await anOrderInAStatement()
    await new SupersedeStatement().handle({ statementId, reason: 'Ошибка', actor: TESTER })
    const { settlement } = await pageOf(orderId)
    const lines = settlement!.statements
    assert.deepEqual(
      lines.map(({ id, status }) => [id, status]),
      [
        [null, null],
        [statementId, 'superseded'],
      ]
    )
    assert.equal(lines[0].tenge, lines[1].tenge)
  })

  test('has its cases alone for those who may not read settlements', async ({ assert }) => {
    const { statementId, orderId } = await anOrderInAStatement()
    const late = await lateCase()
    for (const role of ['support', 'operations'] as const) {
      const { settlement: none } = await pageOf(orderId, role)
      assert.deepEqual(none, { cases: [], registerLines: [], partsOfRegisters: {}, statements: [] })
      const { settlement } = await pageOf(late.orderId, role)
      assert.deepEqual(
        settlement!.cases.map(({ id }) => id),
        [late.caseId]
      )
    }
    const { settlement } = await pageOf(orderId)
    assert.equal(settlement!.statements[0].id, statementId)
  })
})
