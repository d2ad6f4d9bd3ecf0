import ChangeStatementStatus from '#ledger/actions/change_statement_status'
import IssueStatement from '#ledger/actions/issue_statement'
import RecordPayment from '#ledger/actions/record_payment'
import { netMovement } from '#ledger/movements'
import { periodAround } from '#ledger/periods'
import { findStatement, listStatements } from '#ledger/queries/find_statement'
import { previewPeriod } from '#ledger/queries/preview_period'
import { verifyStatement } from '#ledger/queries/verify_statement'
import { DAY_MS } from '#shared/days'
import type { Refusal } from '#shared/refusals'
import { aSale, sell, TESTER, type TestPartner } from '#tests/support/fixtures'
import { refund } from '#tests/support/operations'
import { one, ownerRows, rows } from '#tests/support/rows'
import { movementsOf, moveInTime, setTerms } from '#tests/support/settlement'
import { test } from '@japa/runner'

const issue = ({ code }: TestPartner) =>
  new IssueStatement().handle({ partnerCode: code, actor: TESTER })
const codeOf = (refused: Promise<unknown>) =>
  refused.then(
    () => 'no refusal',
    (error: unknown) => (error as Refusal).refusalCode
  )

/** Sold and refunded in a month that is over. */
async function aMonth(by = '-45 days') {
  const sale = await aSale()
  await setTerms(sale.partner)
  const sold = await sell(sale.client, sale.event.id, ['seat-2-1', 'seat-2-2'])
  await sell(sale.client, sale.event.id, ['seat-1-1'])
  await refund(sale.client, sold.order_id, [sold.tickets[0].ticket_id])
  await moveInTime(sale.partner, by)
  return { ...sale, sold }
}

test.group('Statements', () => {
  test('a closed month lists its movements under a number and proves itself by hash', async ({
    assert,
  }) => {
    const { partner } = await aMonth()
    const preview = await previewPeriod(partner.id)
    const { statementId } = await issue(partner)
    const found = await findStatement(statementId)

    const moved = await movementsOf(partner)
    const sum = moved.reduce((total, { tenge }) => total + BigInt(tenge), 0n)
    assert.equal(found.closingTenge, sum)
    assert.equal(found.closingTenge, preview!.closingTenge)
    assert.deepEqual([found.lines, found.lateLines, found.openingTenge], [moved.length, 0, 0n])
    assert.deepEqual(found.totals.sale, { movements: 2, tickets: 3, tenge: 69_000n })
    assert.deepEqual(found.totals.refund, { movements: 1, tickets: 1, tenge: -12_000n })
    assert.equal(netMovement(found.totals), sum)
    assert.deepEqual(await verifyStatement(found), [])
    const [from, to] = [found.from.toISOString(), found.to.toISOString()]
    assert.match(from, /T19:00:00.000Z$/)
    assert.match(to, /T19:00:00.000Z$/)
    const entry = await one(
      `SELECT change FROM journal WHERE partner_id = ? AND name = 'statement_issued'`,
      partner.id
    )
    assert.equal(entry.change.data_sha256, found.statementSha256)
  })

  test('the next statement begins where the last one ended and contains its hash', async ({
    assert,
  }) => {
    const { client, event, partner } = await aMonth('-3 months')
    const { statementId: firstId } = await issue(partner)
    await sell(client, event.id, ['seat-2-5'])
    await moveInTime(partner, '-2 months')
    const { statementId: secondId } = await issue(partner)
    const [first, second] = [await findStatement(firstId), await findStatement(secondId)]
    assert.equal(second.openingTenge, first.closingTenge)
    assert.equal(second.prevSha256, first.statementSha256)
    assert.equal(second.from.getTime(), first.to.getTime())
    assert.equal(second.totals.sale.movements, 1)
    const list = await listStatements(partner.id)
    assert.deepEqual(
      list.map(({ id }) => id),
      [secondId, firstId]
    )
  })

  test('a movement committed after its period was closed is in the next statement, once and marked', async ({
    assert,
  }) => {
    const { client, event, partner } = await aMonth('-3 months')
    await issue(partner)
    await sell(client, event.id, ['seat-2-5'])
    await moveInTime(partner, '-3 months')
    const { statementId } = await issue(partner)
    const second = await findStatement(statementId)
    assert.deepEqual([second.totals.sale.movements, second.lateLines], [1, second.lines])
    const twice = await rows(
      'SELECT source FROM ledger_movements WHERE partner_id = ? GROUP BY source, kind HAVING count(*) > 1',
      partner.id
    )
    assert.deepEqual(twice, [])
  })

  test('a draft counts as late what happened before its period, as its statement does', async ({
    assert,
  }) => {
    const { client, event, partner } = await aMonth('-3 months')
    await issue(partner)
    const { from } = (await previewPeriod(partner.id))!
    await sell(client, event.id, ['seat-2-5'])
    await moveInTime(partner, '-2 days')
    await sell(client, event.id, ['seat-2-6'])
    await moveInTime(partner, `${from.getTime() + DAY_MS - Date.now()} milliseconds`)
    const draft = (await previewPeriod(partner.id))!
    const { statementId } = await issue(partner)
    const { lines, lateLines } = await findStatement(statementId)
    assert.deepEqual([lines, lateLines], [6, 3])
    assert.deepEqual([draft.lines, draft.lateLines], [lines, lateLines])
  })

  test('periods change at midnight of the venues, to the millisecond', async ({ assert }) => {
    const { client, event, partner } = await aSale()
    await setTerms(partner)
    const orders = []
    for (const seat of ['seat-2-1', 'seat-2-2']) {
      const { order_id: id } = await sell(client, event.id, [seat])
      orders.push(id as string)
    }
    const moments = ['2026-09-30T23:59:59.999+05:00', '2026-10-01T00:00:00.000+05:00']
    for (const [index, id] of orders.entries()) {
      const free = `WITH free AS (SELECT set_config('session_replication_role', 'replica', true))`
      await ownerRows(
        `${free} UPDATE orders SET created_at = ?::timestamptz - interval '1 minute', confirmed_at = ?::timestamptz FROM free WHERE id = ?`,
        moments[index],
        moments[index],
        id
      )
      await ownerRows(
        `${free} UPDATE ledger_movements SET effective_at = ?::timestamptz FROM free WHERE source = ?`,
        moments[index],
        id
      )
    }
    const { statementId } = await issue(partner)
    const found = await findStatement(statementId)
    assert.equal(found.to.toISOString(), '2026-09-30T19:00:00.000Z')
    assert.equal(found.totals.sale.movements, 1)
    const [taken] = await rows(
      `SELECT source FROM ledger_movements WHERE statement_id = ? AND kind = 'sale'`,
      statementId
    )
    assert.equal(taken.source, orders[0])
  })

  test('a period is not closed before its end, without terms or without movements', async ({
    assert,
  }) => {
    const nothing = await aSale()
    assert.equal(await codeOf(issue(nothing.partner)), 'NOTHING_TO_SETTLE')
    await sell(nothing.client, nothing.event.id, ['seat-2-1'])
    assert.equal(await codeOf(issue(nothing.partner)), 'TERMS_NOT_SET')
    await setTerms(nothing.partner)
    assert.equal(await codeOf(issue(nothing.partner)), 'PERIOD_NOT_OVER')
  })

  test('a period is not closed before its grace time is over', async ({ assert }) => {
    const week = periodAround(new Date(), 'week')
    const hourBefore = Math.floor((Date.now() - week.from.getTime()) / 1_000) + 3_600
    /** A sale in the last hour of last week. */
    const aWeek = async (graceMinutes: number) => {
      const { client, event, partner } = await aSale()
      await setTerms(partner, { period: 'week', graceMinutes })
      await sell(client, event.id, ['seat-2-1'])
      await moveInTime(partner, `-${hourBefore} seconds`)
      return partner
    }
    const [late, atOnce] = [await aWeek(7 * 24 * 60), await aWeek(0)]

    const refusal = await issue(late).catch((error: Refusal) => error)

    assert.include(refusal, { refusalCode: 'PERIOD_NOT_OVER' })
    assert.deepEqual((refusal as Refusal).details, { closes_at: week.to.toISOString() })
    assert.equal(await codeOf(issue(atOnce)), 'no refusal')
  })

  test('a period whose ledger disagrees with its orders is not closed', async ({ assert }) => {
    const { partner, sold } = await aMonth()
    await ownerRows(
      `WITH free AS (SELECT set_config('session_replication_role', 'replica', true))
       UPDATE ledger_movements SET amount_tenge = 23999 FROM free WHERE source = ? AND kind = 'sale'`,
      sold.order_id
    )
    assert.equal(await codeOf(issue(partner)), 'STATEMENT_BLOCKED')
    assert.deepEqual(await listStatements(partner.id), [])
  })

  test('a period is not closed while late movements disagree with their orders', async ({
    assert,
  }) => {
    const { client, event, partner } = await aMonth('-3 months')
    await issue(partner)
    const late = await sell(client, event.id, ['seat-2-5'])
    await moveInTime(partner, '-3 months')
    await ownerRows(
      `WITH free AS (SELECT set_config('session_replication_role', 'replica', true))
       UPDATE ledger_movements SET amount_tenge = 11999 FROM free WHERE source = ? AND kind = 'sale'`,
      late.order_id
    )
    assert.equal(await codeOf(issue(partner)), 'STATEMENT_BLOCKED')
  })

  test('ten simultaneous requests close one month once, without gaps in numbers', async ({
    assert,
  }) => {
    const months = [await aMonth(), await aMonth(), await aMonth()]
    const before = await one(`SELECT last FROM settlement_counters WHERE name = 'statement'`)
    const tries = Array.from({ length: 10 }, (_, index) => codeOf(issue(months[index % 3].partner)))
    await Promise.all(tries)
    const after = await one(`SELECT last FROM settlement_counters WHERE name = 'statement'`)
    const issued = await rows(
      `SELECT number, partner_id, period_from FROM settlement_statements WHERE number > ? ORDER BY number`,
      before.last
    )
    assert.lengthOf(issued, (after.last as number) - (before.last as number))
    for (const { partner } of months) {
      const list = await listStatements(partner.id)
      assert.isAtLeast(list.length, 1)
      assert.equal(new Set(list.map(({ from }) => from.getTime())).size, list.length)
      const open = await rows(
        `SELECT 1 FROM ledger_movements WHERE partner_id = ? AND statement_id IS NULL`,
        partner.id
      )
      assert.lengthOf(open, 0)
    }
  })

  test('an issued statement cannot be changed, and a change by force is detected', async ({
    assert,
  }) => {
    const { partner } = await aMonth()
    const { statementId } = await issue(partner)
    for (const sql of [
      'UPDATE settlement_statements SET closing_tenge = 0',
      `UPDATE settlement_statements SET totals = '{}'`,
      'DELETE FROM settlement_statements',
    ])
      await assert.rejects(() => ownerRows(`${sql} WHERE id = ?`, statementId), /is not allowed/)
    await ownerRows(
      `WITH free AS (SELECT set_config('session_replication_role', 'replica', true))
       UPDATE ledger_movements SET amount_tenge = amount_tenge - 1 FROM free WHERE statement_id = ? AND kind = 'refund'`,
      statementId
    )
    const wrong = await verifyStatement(await findStatement(statementId))
    assert.deepEqual(wrong, ['totals', 'closing_tenge', 'data_sha256'])
  })

  test('a statement is agreed or disputed and closed, without a way back', async ({ assert }) => {
    const { partner } = await aMonth()
    const { statementId } = await issue(partner)
    const move = (trigger: 'agree' | 'dispute' | 'close') =>
      codeOf(
        new ChangeStatementStatus().handle({ statementId, trigger, note: null, actor: TESTER })
      )
    assert.equal(await move('close'), 'STATUS_NOT_REACHABLE')
    assert.equal(await move('dispute'), 'no refusal')
    assert.equal(await move('agree'), 'no refusal')
    assert.equal(await move('close'), 'no refusal')
    for (const trigger of ['agree', 'dispute', 'close'] as const)
      assert.equal(await move(trigger), 'STATUS_NOT_REACHABLE', trigger)
  })

  test('a payment brings the account to zero, and one entered again does not', async ({
    assert,
  }) => {
    const { partner } = await aMonth()
    const { statementId } = await issue(partner)
    const { closingTenge: due } = await findStatement(statementId)
    const pay = (bankReference: string, amountTenge: bigint) =>
      codeOf(
        new RecordPayment().handle({
          partnerCode: partner.code,
          bankReference: `${bankReference} ${partner.code}`,
          paidOn: '2026-11-20',
          direction: 'from_partner',
          amountTenge,
          parts: [{ statementId, amountTenge }],
          actor: TESTER,
        })
      )
    assert.equal(await pay('П-1', 1_000n), 'no refusal')
    assert.equal(await pay('П-1', 1_000n), 'PAYMENT_EXISTS')
    const part = await findStatement(statementId)
    assert.deepEqual([part.paymentStatus, part.paidTenge], ['part_paid', 1_000n])
    assert.equal(await pay('П-2', due - 1_000n), 'no refusal')
    const { paymentStatus } = await findStatement(statementId)
    assert.equal(paymentStatus, 'paid')
    const preview = await previewPeriod(partner.id)
    assert.equal(preview!.closingTenge, 0n)
  })

  test('the amount due decides who pays, and a statement with nothing due is paid', async ({
    assert,
  }) => {
    const { partner } = await aMonth('-3 months')
    const { statementId } = await issue(partner)
    const wrongWay = new RecordPayment().handle({
      partnerCode: partner.code,
      bankReference: 'П-9',
      paidOn: '2026-11-20',
      direction: 'to_partner',
      amountTenge: 5n,
      parts: [{ statementId, amountTenge: 5n }],
      actor: TESTER,
    })
    await assert.rejects(() => wrongWay)
    const { paymentStatus, paidTenge } = await findStatement(statementId)
    assert.deepEqual([paymentStatus, paidTenge], ['open', 0n])
    const { statementId: empty } = await issue(partner)
    const found = await findStatement(empty)
    assert.deepEqual([found.dueTenge, found.paymentStatus], [0n, 'paid'])
  })
})
