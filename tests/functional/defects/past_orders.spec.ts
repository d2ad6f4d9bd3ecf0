import CheckPeriod from '#defects/cases/check_period'
import checkPartners, { checkLastDays, partnersToCheck } from '#defects/jobs/check_partners'
import { dataOf } from '#tests/support/answers'
import { cancelEvent, lapseOrder, storefrontSells } from '#tests/support/circumstances'
import { latePayment, refreshDefects } from '#tests/support/cases'
import { aSale, book, order, paymentOf, sell, type TestPartner } from '#tests/support/fixtures'
import { confirm, refund } from '#tests/support/operations'
import { one, ownerOne, ownerRows, rows } from '#tests/support/rows'
import { moveInTime } from '#tests/support/settlement'
import { test } from '@japa/runner'

const DAY_MS = 86_400_000
const byForce = (sql: string, ...values: unknown[]) =>
  ownerRows(
    `WITH free AS (SELECT set_config('session_replication_role', 'replica', true)) ${sql}`,
    ...values
  )

const codesOf = async ({ id }: TestPartner) => {
  const found = await rows(
    `SELECT d.code FROM settlement_cases c JOIN settlement_defects d ON d.case_id = c.id AND d.gone_at IS NULL
      WHERE c.partner_id = ? AND c.gone_at IS NULL ORDER BY d.code`,
    id
  )
  return found.map(({ code }) => code as string)
}
/** Orders and confirms of a partner as if they had been made so long ago. */
async function age(partner: TestPartner, by: string) {
  await moveInTime(partner, by)
  await byForce(
    `UPDATE settlement_cases SET occurred_at = occurred_at + ?::interval FROM free WHERE partner_id = ?`,
    by,
    partner.id
  )
}

/** A gate phone that uploads a scan made offline. */
async function aGatePhone(eventId: string) {
  const { id: staffId } = await ownerOne(
    `INSERT INTO staff (email, full_name, role, password) VALUES (gen_random_uuid()::text, 'Контролёр', 'gate', '-') RETURNING id`
  )
  return (ticketId: string, details: object) =>
    ownerRows(
      `INSERT INTO ticket_scans (staff_id, event_id, ticket_id, verdict, details, phone_scan_id, offline_at)
       VALUES (?, ?, ?, 'TICKET_VOID', ?, gen_random_uuid(), now() + interval '1 minute')`,
      staffId,
      eventId,
      ticketId,
      JSON.stringify(details)
    )
}

/** What the scheduled search does when it comes to the partner, which it must. */
async function searchOf({ id }: TestPartner) {
  const partners = await partnersToCheck()
  if (!partners.includes(id)) throw new Error('The search passes this partner over')
  await checkLastDays(id)
}

test.group('Orders of past periods', () => {
  test('a confirm days after its order is found by the next search', async ({ assert }) => {
    const { client, event, partner } = await aSale()
    const booking = dataOf(await book(client, event.id, ['seat-2-1']))
    const placed = dataOf(await order(client, booking.booking_id))
    await lapseOrder(placed.order_id)
    await age(partner, '-9 days')
    await checkLastDays(partner.id)
    assert.deepEqual(await codesOf(partner), [])
    await confirm(client, placed.order_id, paymentOf(placed.total_tenge))
    await checkPartners()
    assert.deepEqual(await codesOf(partner), ['CONFIRM_ORDER_EXPIRED'])
  })

  test('a payment not refunded in time is found when its days are over', async ({ assert }) => {
    const { partner } = await latePayment()
    await checkLastDays(partner.id)
    assert.deepEqual(await codesOf(partner), ['CONFIRM_ORDER_EXPIRED'])
    await age(partner, '-2 days')
    await checkLastDays(partner.id)
    assert.deepEqual(await codesOf(partner), ['CONFIRM_ORDER_EXPIRED'])
    await age(partner, '-2 days')
    await searchOf(partner)
    assert.deepEqual(await codesOf(partner), ['CONFIRM_ORDER_EXPIRED', 'LATE_MONEY_NOT_RETURNED'])
    const { exposure } = await one(
      'SELECT buyer_tenge::int AS exposure FROM settlement_cases WHERE partner_id = ?',
      partner.id
    )
    assert.equal(exposure, 12_000)
  })

  test('refunds fall due for an event cancelled long after the sale', async ({ assert }) => {
    const { client, event, partner } = await aSale()
    await sell(client, event.id, ['seat-2-1'])
    await moveInTime(partner, '-40 days')
    await cancelEvent(event)
    await checkLastDays(partner.id)
    assert.deepEqual(await codesOf(partner), [])
    await byForce(
      `UPDATE tickets SET voided_at = voided_at - interval '80 hours' FROM free WHERE event_id = ?`,
      event.id
    )
    await byForce(
      `UPDATE ledger_movements SET effective_at = effective_at - interval '80 hours'
         FROM free WHERE partner_id = ? AND kind = 'event_cancel'`,
      partner.id
    )
    await searchOf(partner)
    assert.deepEqual(await codesOf(partner), ['EVENT_CANCELLED_REFUND_DUE'])
  })

  test('orders joined by a payment of another month are judged with all known facts', async ({
    assert,
  }) => {
    const { client, event, partner, payment } = await latePayment()
    const sold = await sell(client, event.id, ['seat-2-2', 'seat-2-3'])
    await confirm(client, sold.order_id, payment)
    await refund(client, sold.order_id, [sold.tickets[0].ticket_id])
    await byForce(
      `UPDATE orders SET created_at = created_at - interval '3 days' FROM free WHERE id = ?`,
      sold.order_id
    )
    await byForce(
      `UPDATE tickets SET used_at = voided_at - interval '1 hour' FROM free WHERE order_id = ? AND status = 'void'`,
      sold.order_id
    )
    const from = new Date(Date.now() - DAY_MS)
    await new CheckPeriod().handle({
      partnerId: partner.id,
      from,
      to: new Date(Date.now() + DAY_MS),
    })
    const codes = await codesOf(partner)
    assert.include(codes, 'REFUND_OF_USED')
    assert.include(codes, 'CONFIRM_ORDER_EXPIRED')
  })
})

test.group('Tickets and seats of past orders', () => {
  test('a late payment shows whether its seats were sold to another buyer', async ({ assert }) => {
    const { event, partner } = await latePayment()
    await refreshDefects(partner)
    assert.notInclude(await codesOf(partner), 'SEAT_RESOLD_AFTER_EXPIRY')
    await storefrontSells(event, 'seat-2-1')
    await refreshDefects(partner)
    assert.include(await codesOf(partner), 'SEAT_RESOLD_AFTER_EXPIRY')

    const other = await latePayment()
    const booking = dataOf(await book(other.client, other.event.id, ['seat-2-1']))
    const placed = dataOf(await order(other.client, booking.booking_id))
    await confirm(other.client, placed.order_id, other.payment)
    await refreshDefects(other.partner)
    assert.notInclude(await codesOf(other.partner), 'SEAT_RESOLD_AFTER_EXPIRY')
  })

  test('a refused refund of a used ticket is recorded', async ({ assert }) => {
    const { client, event, partner } = await aSale()
    const sold = await sell(client, event.id, ['seat-2-1'])
    const ticketId = sold.tickets[0].ticket_id as string
    await ownerRows(`UPDATE tickets SET status = 'used', used_at = now() WHERE id = ?`, ticketId)
    for (const reason of ['Не смогут', 'Передумали']) {
      const refused = await refund(client, sold.order_id, [ticketId], reason)
      assert.equal(refused.error!.code, 'TICKET_NOT_REFUNDABLE')
    }
    await refreshDefects(partner)
    assert.deepEqual(await codesOf(partner), ['REFUND_OF_USED'])
    const { n } = await one(
      'SELECT count(*)::int AS n FROM refused_refunds WHERE partner_id = ?',
      partner.id
    )
    assert.equal(n, 1)
  })

  test('a guest admitted offline after the void is found when the phone uploads the scan', async ({
    assert,
  }) => {
    const { client, event, partner } = await aSale()
    const sold = await sell(client, event.id, ['seat-2-1', 'seat-2-2'])
    const [after, refused] = sold.tickets.map(({ ticket_id: id }: { ticket_id: string }) => id)
    await refund(client, sold.order_id, [after, refused])
    const uploadScan = await aGatePhone(event.id)
    // The first was let in; the second the phone itself had turned away.
    await uploadScan(after, { cause: 'refund', ticket_id: after })
    await uploadScan(refused, {})
    await refreshDefects(partner)
    assert.deepEqual(await codesOf(partner), ['USED_AFTER_VOID'])
    const { evidence } = await one(
      `SELECT d.evidence FROM settlement_defects d JOIN settlement_cases c ON c.id = d.case_id WHERE c.partner_id = ?`,
      partner.id
    )
    assert.deepEqual(evidence, [after])
  })

  test('a guest admitted offline after the void is found however long ago the ticket was refunded', async ({
    assert,
  }) => {
    const { client, event, partner } = await aSale()
    const sold = await sell(client, event.id, ['seat-2-1'])
    const ticketId = sold.tickets[0].ticket_id as string
    await refund(client, sold.order_id, [ticketId])
    await age(partner, '-60 days')
    await searchOf(partner)
    assert.deepEqual(await codesOf(partner), [])
    const uploadScan = await aGatePhone(event.id)
    await uploadScan(ticketId, { cause: 'refund', ticket_id: ticketId })
    await searchOf(partner)
    assert.deepEqual(await codesOf(partner), ['USED_AFTER_VOID'])
  })
})
