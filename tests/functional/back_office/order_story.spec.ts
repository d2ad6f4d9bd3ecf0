import { readOrder } from '#back_office/orders/read_order'
import ChangeCase from '#case_work/change_case'
import { refreshDefects } from '#tests/support/cases'
import { cancelEvent } from '#tests/support/circumstances'
import { aSale, paymentOf, sell, TESTER } from '#tests/support/fixtures'
import { confirm, refund } from '#tests/support/operations'
import { expiredOrderOf } from '#tests/support/register_defects'
import { one } from '#tests/support/rows'
import { test } from '@japa/runner'

test.group('What the page of an order says first', () => {
  test('each refused payment counts once, and whose seats they are now', async ({ assert }) => {
    const sale = await aSale()
    const late = await expiredOrderOf(sale, 'seat-2-1', 'seat-2-2')
    const [payment, second] = [paymentOf(24_000), paymentOf(24_000)]
    for (const body of [payment, payment, second]) await confirm(sale.client, late, body)
    const winner = await sell(sale.client, sale.event.id, ['seat-2-1'])
    const page = (await readOrder(late))!
    assert.sameMembers(
      page.refusedPayments.map(({ code, tenge, paymentId }) => `${code} ${tenge} ${paymentId}`),
      [payment, second].map(
        ({ payment_info: { external_payment_id: id } }) => `ORDER_EXPIRED 24000 ${id}`
      )
    )
    assert.deepEqual(
      page.tickets.map(({ soldIn }) => soldIn),
      [winner.order_id, null]
    )
    const paid = (await readOrder(winner.order_id))!
    assert.deepEqual([paid.refusedPayments, paid.tickets[0].soldIn], [[], null])
  })

  test('a refused payment is settled once all cases of its order are ended', async ({ assert }) => {
    const sale = await aSale()
    const late = await expiredOrderOf(sale, 'seat-2-1')
    await confirm(sale.client, late, paymentOf(12_000))
    const isSettled = async () => (await readOrder(late))!.isSettled
    assert.isFalse(await isSettled())
    await refreshDefects(sale.partner)
    assert.isFalse(await isSettled())
    const { id, version } = await one(
      'SELECT id, version FROM settlement_cases WHERE key = ?',
      late
    )
    const change = { state: 'resolved', reason: 'Вернули' } as const
    await new ChangeCase().handle({
      caseId: id as number,
      version: version as number,
      change,
      actor: TESTER,
    })
    assert.isTrue(await isSettled())
  })

  test('a paid order has no refused payment, also when its repeat came too late', async ({
    assert,
  }) => {
    const { client, event } = await aSale()
    const sold = await sell(client, event.id, ['seat-2-1', 'seat-2-2'])
    await refund(client, sold.order_id, [sold.tickets[0].ticket_id])
    await cancelEvent(event)
    await confirm(client, sold.order_id, paymentOf(24_000))
    const page = (await readOrder(sold.order_id))!
    assert.isTrue(page.order.isEventCancelled)
    assert.deepEqual(page.refusedPayments, [])
    assert.deepEqual(
      page.tickets.map(({ voidCause }) => voidCause),
      ['refund', 'event_cancelled']
    )
  })
})
