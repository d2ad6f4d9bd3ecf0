import { dataOf } from '#tests/support/answers'
import { refreshDefects } from '#tests/support/cases'
import { cancelEvent } from '#tests/support/circumstances'
import { aSale, book, order, paymentOf } from '#tests/support/fixtures'
import { confirm, refund } from '#tests/support/operations'
import {
  daysAgo,
  defectsOf,
  exposuresOf,
  minutesAfter,
  noonOn,
  refreshLastDays,
} from '#tests/support/register_defects'
import {
  COVERS_ALL,
  confirmedRegister,
  fileOf,
  lineOf,
  partnerFieldsOf,
  soldOrderOf,
  ticketsOf,
} from '#tests/support/registers'
import { moveInTime, setTerms } from '#tests/support/settlement'
import { test } from '@japa/runner'

/** Two orders of a cart, the first one first, and the payment that both were paid with. */
async function cartOf(sale: Awaited<ReturnType<typeof aSale>>) {
  await setTerms(sale.partner, { refundEvidenceDays: 0, allowsCombinedPayments: true })
  const payment = paymentOf(12_000)
  const orders: string[] = []
  for (const seat of ['seat-2-1', 'seat-2-2']) {
    const booking = dataOf(await book(sale.client, sale.event.id, [seat]))
    const { order_id: orderId } = dataOf(await order(sale.client, booking.booking_id))
    await confirm(sale.client, orderId, payment)
    orders.push(orderId)
  }
  const known = await partnerFieldsOf(orders[0])
  const row = (tenge: number, at = known.at) =>
    `;${payment.payment_info.external_payment_id};${at};${tenge};Оплата`
  return { orders: orders.toSorted(), row }
}

test.group('Combined payments of several orders', () => {
  test('the row of a cart counts once, also where another register lacks one of its orders', async ({
    assert,
  }) => {
    const sale = await aSale()
    const { orders, row } = await cartOf(sale)
    await confirmedRegister(sale.partner, fileOf(row(24_000)))
    await confirmedRegister(sale.partner, fileOf(await lineOf(orders[0])))
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), [])
  })

  test('one refund row settles every order of the cart', async ({ assert }) => {
    const sale = await aSale()
    await setTerms(sale.partner, { refundEvidenceDays: 0, allowsCombinedPayments: true })
    const payment = paymentOf(12_000)
    const orders: string[] = []
    for (const seat of ['seat-2-1', 'seat-2-2']) {
      const booking = dataOf(await book(sale.client, sale.event.id, [seat]))
      const { order_id: orderId } = dataOf(await order(sale.client, booking.booking_id))
      await confirm(sale.client, orderId, payment)
      orders.push(orderId)
    }
    await cancelEvent(sale.event)
    await refreshDefects(sale.partner)
    assert.lengthOf(await defectsOf(sale.partner), 2)
    const { external_payment_id: id } = payment.payment_info
    const { at } = await partnerFieldsOf(orders[0])
    const file = fileOf(`;${id};${at};24000;Оплата`, `;${id};${at};-24000;Возврат`)
    await confirmedRegister(sale.partner, file)
    await refreshDefects(sale.partner)
    assert.deepEqual(await defectsOf(sale.partner), [])
  })

  test('a refund belongs to the order whose tickets are void', async ({ assert }) => {
    const sale = await aSale()
    const { orders, row } = await cartOf(sale)
    await refund(sale.client, orders[1], await ticketsOf(orders[1]))
    await confirmedRegister(sale.partner, fileOf(row(24_000), row(-12_000)))
    await refreshDefects(sale.partner)
    assert.deepEqual(await defectsOf(sale.partner), [])
    await cancelEvent(sale.event)
    await refreshDefects(sale.partner)
    assert.deepEqual(await defectsOf(sale.partner), [
      `EVENT_CANCELLED_REFUND_DUE ${orders[0]} 12000 BUYER`,
    ])
  })

  test('a void without a refund is reported for its order until a later register shows the refund', async ({
    assert,
  }) => {
    const sale = await aSale()
    const { orders, row } = await cartOf(sale)
    await refund(sale.client, orders[1], await ticketsOf(orders[1]))
    await confirmedRegister(sale.partner, fileOf(row(24_000)))
    await refreshDefects(sale.partner)
    assert.deepEqual(await defectsOf(sale.partner), [
      `VOID_WITHOUT_REFUND ${orders[1]} 12000 BUYER`,
    ])
    await confirmedRegister(sale.partner, fileOf(row(-12_000)), { setup: COVERS_ALL })
    await refreshDefects(sale.partner)
    assert.deepEqual(await defectsOf(sale.partner), [])
  })

  test('a void within the register’s days is reported for its order', async ({ assert }) => {
    const sale = await aSale()
    const { orders, row } = await cartOf(sale)
    await refund(sale.client, orders[0], await ticketsOf(orders[0]))
    await moveInTime(sale.partner, '-2 days')
    const earlier = fileOf(row(24_000, noonOn(-2)), row(-12_000, noonOn(-2)))
    await confirmedRegister(sale.partner, earlier, daysAgo(3, 1))
    await refund(sale.client, orders[1], await ticketsOf(orders[1]))
    await confirmedRegister(sale.partner, fileOf(row(24_000, noonOn(-2))))
    await refreshLastDays(sale.partner, 20)
    assert.deepEqual(await defectsOf(sale.partner), [
      `VOID_WITHOUT_REFUND ${orders[1]} 12000 BUYER`,
    ])
  })

  test('refunds without a void are reported for each order', async ({ assert }) => {
    const sale = await aSale()
    const { orders, row } = await cartOf(sale)
    await confirmedRegister(sale.partner, fileOf(row(24_000), row(-24_000)))
    await refreshDefects(sale.partner)
    assert.deepEqual(
      await defectsOf(sale.partner),
      orders.map((orderId) => `REFUND_WITHOUT_VOID ${orderId} 12000 PLATFORM`)
    )
  })

  test('a payment counts once by order in one register and by payment id in another', async ({
    assert,
  }) => {
    const sale = await aSale()
    const sold = await lineOf(await soldOrderOf(sale, ['seat-2-1']))
    const pay = `pay-${sale.partner.code}`
    const row = (name: string, tenge: number, kind = 'Оплата') =>
      `${name};${pay};${noonOn(0)};${tenge};${kind}`
    await confirmedRegister(sale.partner, fileOf(sold, row('o-1', 7_000), row('o-2', 5_000)))
    await confirmedRegister(sale.partner, fileOf(sold, row('', 12_000)))
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), ['12000 BUYER'])
    await confirmedRegister(sale.partner, fileOf(sold, row('', -9_000, 'Возврат')))
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), ['3000 BUYER'])
  })

  test('rows by ticket are settled by one refund with the payment id alone', async ({ assert }) => {
    const sale = await aSale()
    const orderId = await soldOrderOf(sale, ['seat-2-1', 'seat-2-3'])
    const other = await lineOf(await soldOrderOf(sale, ['seat-2-2']))
    const rrn = `rrn-${sale.partner.code}`
    const half = (minutes: number) =>
      lineOf(orderId, { payment: rrn, tenge: '12000', at: minutesAfter(noonOn(0), minutes) })
    const stranger = `o-2;${rrn};${noonOn(0)};7000;Оплата`
    await refund(sale.client, orderId, await ticketsOf(orderId))
    const sales = fileOf(other, await half(1), await half(2), stranger)
    await confirmedRegister(sale.partner, sales, { setup: { rowIs: 'ticket' } })
    const back = `;${rrn};${noonOn(0)};-31000;Возврат`
    await confirmedRegister(sale.partner, fileOf(other, await lineOf(orderId), back))
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), [])
  })

  for (const isFirst of [false, true])
    test(`a cart with an unknown order is refunded by its payment id alone: ${isFirst ? 'our order first' : 'the other first'}`, async ({
      assert,
    }) => {
      const sale = await aSale()
      const orderId = await soldOrderOf(sale, ['seat-2-1'])
      const other = await lineOf(await soldOrderOf(sale, ['seat-2-2']))
      const rrn = `rrn-${sale.partner.code}`
      const stranger = `o-2;${rrn};${noonOn(0)};7000;Оплата`
      const ours = await lineOf(orderId, { payment: rrn })
      await confirmedRegister(
        sale.partner,
        fileOf(other, ...(isFirst ? [ours, stranger] : [stranger, ours]))
      )
      await refreshDefects(sale.partner)
      assert.deepEqual(await exposuresOf(sale.partner), ['7000 BUYER'])
      const back = `;${rrn};${noonOn(0)};-7000;Возврат`
      await confirmedRegister(sale.partner, fileOf(other, await lineOf(orderId), back))
      await refreshDefects(sale.partner)
      assert.deepEqual(await exposuresOf(sale.partner), [])
    })
})
