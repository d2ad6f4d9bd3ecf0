import { readSales } from '#back_office/events/event_reach'
import CheckPeriod from '#defects/cases/check_period'
import { exposureOf } from '#defects/cases/open_exposure'
import { listOpenItems } from '#ledger/queries/open_items'
import { findStatement } from '#ledger/queries/find_statement'
import { verifyStatement } from '#ledger/queries/verify_statement'
import type { UsedTicketPolicy } from '#ledger/terms'
import { cancelEvent } from '#tests/support/circumstances'
import { aSale, sell, type TestPartner } from '#tests/support/fixtures'
import { issueFor } from '#tests/support/mails'
import { withoutZeros } from '#tests/support/register_defects'
import { one, ownerRows, rows } from '#tests/support/rows'
import { admittedOffline } from '#tests/support/scripted_month'
import { movementsOf, moveInTime, setTerms } from '#tests/support/settlement'
import { test } from '@japa/runner'

const DAY_MS = 86_400_000

/** Two tickets of 12,000; a guest is admitted with the first one, and then the event is cancelled. */
async function cancelledWithAGuest(policy: UsedTicketPolicy) {
  const sale = await aSale()
  await setTerms(sale.partner, { usedTicketsOfCancelledEvents: policy })
  const { order_id: orderId, tickets } = await sell(sale.client, sale.event.id, [
    'seat-2-1',
    'seat-2-2',
  ])
  const [used, other] = tickets
  await admittedOffline(sale.event.id, used.qr_token)
  const [{ voidable: foretold }] = await readSales(sale.event.id)
  const { tickets_voided: voided } = await cancelEvent(sale.event)
  return { ...sale, orderId, used, other, foretold, voided }
}

async function findingsOf({ id: partnerId }: TestPartner) {
  const [from, to] = [new Date(Date.now() - DAY_MS), new Date(Date.now() + DAY_MS)]
  await new CheckPeriod().handle({ partnerId, from, to })
  const found = await rows(
    `SELECT d.code, d.subclass, d.evidence, ${exposureOf('c')} AS exposure
       FROM settlement_cases c JOIN settlement_defects d ON d.case_id = c.id
      WHERE c.partner_id = ? AND d.gone_at IS NULL`,
    partnerId
  )
  return found.map(({ exposure, ...defect }) => ({ ...defect, exposure: withoutZeros(exposure) }))
}

async function statusOf(ticketId: string) {
  const { status } = await one('SELECT status FROM tickets WHERE id = ?', ticketId)
  return status as string
}

test.group('A used ticket of a cancelled event', () => {
  test('stays sold by the terms without more: the partner owes for it, and a finding names it', async ({
    assert,
  }) => {
    const { partner, used, other, foretold, voided } = await cancelledWithAGuest('keep')
    assert.deepEqual([foretold, voided], [1, 1])
    assert.deepEqual(
      [await statusOf(used.ticket_id), await statusOf(other.ticket_id)],
      ['used', 'void']
    )
    assert.deepEqual(await findingsOf(partner), [
      {
        code: 'USED_TICKET_OF_CANCELLED_EVENT',
        subclass: 'KEPT',
        evidence: [used.ticket_id],
        exposure: {},
      },
    ])
    await moveInTime(partner, '-45 days')
    const { statementId } = await issueFor(partner)
    const statement = await findStatement(statementId)
    assert.equal(statement.totals.event_cancel.tenge, -12_000n)
    // 12,000 less 7.5 % commission and its VAT of 16 %.
    assert.equal(statement.closingTenge, 12_000n - 900n - 144n)
    assert.deepEqual(await verifyStatement(statement), [])
  })

  test('is void where the terms of its sale say so: nothing is owed, and a finding names it', async ({
    assert,
  }) => {
    const { partner, used, foretold, voided } = await cancelledWithAGuest('void')
    assert.deepEqual([foretold, voided], [2, 2])
    assert.equal(await statusOf(used.ticket_id), 'void')
    assert.deepEqual(await findingsOf(partner), [
      {
        code: 'USED_TICKET_OF_CANCELLED_EVENT',
        subclass: 'VOIDED',
        evidence: [used.ticket_id],
        exposure: {},
      },
    ])
    await moveInTime(partner, '-45 days')
    const { statementId } = await issueFor(partner)
    const statement = await findStatement(statementId)
    assert.equal(statement.totals.event_cancel.tenge, -24_000n)
    assert.equal(statement.closingTenge, 0n)
    assert.deepEqual(await verifyStatement(statement), [])
  })

  test('is judged by the terms of the day on which it was sold', async ({ assert }) => {
    const sale = await aSale()
    await setTerms(sale.partner)
    const sold = await sell(sale.client, sale.event.id, ['seat-2-1'])
    await admittedOffline(sale.event.id, sold.tickets[0].qr_token)
    await ownerRows(
      `INSERT INTO settlement_terms (partner_id, valid_from, set_by, used_tickets_of_cancelled_events)
       VALUES (?, now(), 'a@example.kz', 'void')`,
      sale.partner.id
    )
    const { tickets_voided: voided } = await cancelEvent(sale.event)
    assert.equal(voided, 0)
    const moved = await movementsOf(sale.partner)
    assert.equal(moved.at(-1)!.kind, 'vat')
  })
})

test.group('The days to pay of the terms', () => {
  test('give a statement its last day, and mark it after that day until it is paid', async ({
    assert,
  }) => {
    const sale = await aSale()
    await setTerms(sale.partner, { paymentDays: 10 })
    await sell(sale.client, sale.event.id, ['seat-2-1'])
    await moveInTime(sale.partner, '-45 days')
    const { statementId } = await issueFor(sale.partner)
    const statement = await findStatement(statementId)
    const inTenDays = new Date(statement.issuedAt.getTime() + 10 * DAY_MS + 5 * 3_600_000)
    assert.equal(statement.payBy, inTenDays.toISOString().slice(0, 10))
    assert.isFalse(statement.isOverdue)
    const isOverdueDaysLater = async (days: number) => {
      await ownerRows(
        `WITH free AS (SELECT set_config('session_replication_role', 'replica', true))
         UPDATE settlement_statements SET issued_at = issued_at - make_interval(days => ?::int) FROM free WHERE id = ?`,
        days,
        statementId
      )
      const { isOverdue } = await findStatement(statementId)
      return isOverdue
    }
    assert.isFalse(await isOverdueDaysLater(10))
    assert.isTrue(await isOverdueDaysLater(1))
    const [item] = await listOpenItems({ partnerId: sale.partner.id })
    assert.equal(item.ageDays, 1)
  })

  test('are none by default: a statement has no last day', async ({ assert }) => {
    const sale = await aSale()
    await setTerms(sale.partner)
    await sell(sale.client, sale.event.id, ['seat-2-1'])
    await moveInTime(sale.partner, '-45 days')
    const { statementId } = await issueFor(sale.partner)
    const { payBy, isOverdue } = await findStatement(statementId)
    assert.deepEqual([payBy, isOverdue], [null, false])
  })
})
