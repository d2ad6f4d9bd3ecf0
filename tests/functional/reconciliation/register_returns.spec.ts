import { refreshDefects } from '#tests/support/cases'
import { lapseOrder } from '#tests/support/circumstances'
import { aSale, paymentOf } from '#tests/support/fixtures'
import { confirm, refund } from '#tests/support/operations'
import {
  daysAgo,
  exposuresOf,
  defectsOf,
  refreshLastDays,
  minutesAfter,
  noonOn,
  pendingOrderOf,
} from '#tests/support/register_defects'
import { confirmedRegister, fileOf, lineOf, soldOrderOf, ticketsOf } from '#tests/support/registers'
import { moveInTime } from '#tests/support/settlement'
import { test } from '@japa/runner'

test.group('What registers show to have gone back', () => {
  test('of two charges by ids of the acquirer the first goes back in the next register', async ({
    assert,
  }) => {
    const sale = await aSale()
    const orderId = await soldOrderOf(sale, ['seat-2-1'])
    await moveInTime(sale.partner, '-10 days')
    const line = (payment: string, tenge: string, day: number) =>
      lineOf(orderId, { payment, tenge, at: noonOn(day) })
    const charges = [await line('rrn-1', '12000', -10), await line('rrn-2', '12000', -10)]
    await confirmedRegister(sale.partner, fileOf(...charges), daysAgo(12, 8))
    await confirmedRegister(sale.partner, fileOf(await line('rrn-1', '-12000', 0)), daysAgo(2, -1))
    await refreshLastDays(sale.partner, 20)
    assert.deepEqual(await exposuresOf(sale.partner), [])
  })

  test('the same, but the second goes back', async ({ assert }) => {
    const sale = await aSale()
    const orderId = await soldOrderOf(sale, ['seat-2-1'])
    await moveInTime(sale.partner, '-10 days')
    const line = (payment: string, tenge: string, day: number) =>
      lineOf(orderId, { payment, tenge, at: noonOn(day) })
    const charges = [await line('rrn-1', '12000', -10), await line('rrn-2', '12000', -10)]
    await confirmedRegister(sale.partner, fileOf(...charges), daysAgo(12, 8))
    await confirmedRegister(sale.partner, fileOf(await line('rrn-2', '-12000', 0)), daysAgo(2, -1))
    await refreshLastDays(sale.partner, 20)
    assert.deepEqual(await exposuresOf(sale.partner), [])
  })

  test('the charge that was confirmed went back whole, the other one stays', async ({ assert }) => {
    const sale = await aSale()
    const orderId = await soldOrderOf(sale, ['seat-2-1'])
    const lines = [
      await lineOf(orderId),
      await lineOf(orderId, { tenge: '-12000' }),
      await lineOf(orderId, { payment: 'pay-2' }),
    ]
    await confirmedRegister(sale.partner, fileOf(...lines))
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), [])
  })

  test('refunds by ticket, and with one more by order in the corrected file', async ({
    assert,
  }) => {
    const sale = await aSale()
    const orderId = await soldOrderOf(sale, ['seat-2-1', 'seat-2-2', 'seat-2-3', 'seat-2-4'])
    await refund(sale.client, orderId, await ticketsOf(orderId))
    const sold = await lineOf(orderId)
    const back = (tenge: string, minutes: number) =>
      lineOf(orderId, { tenge, at: minutesAfter(noonOn(0), minutes) })
    await confirmedRegister(
      sale.partner,
      fileOf(sold, await back('-12000', 1), await back('-12000', 2))
    )
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), ['24000 BUYER'])
    await confirmedRegister(sale.partner, fileOf(sold, await back('-36000', 3)))
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), ['12000 BUYER'])
  })

  test('a sale without its payment, gone back by the payment that a confirm told of', async ({
    assert,
  }) => {
    const sale = await aSale()
    const sold = await lineOf(await soldOrderOf(sale, ['seat-2-4']))
    const orderId = await pendingOrderOf(sale, ['seat-2-1'])
    await lapseOrder(orderId)
    const payment = paymentOf(12_000)
    await confirm(sale.client, orderId, payment)
    const id = payment.payment_info.external_payment_id
    const line = (paymentId: string, tenge: string) =>
      lineOf(orderId, { payment: paymentId, tenge, at: noonOn(0) })
    await confirmedRegister(sale.partner, fileOf(sold, await line('', '12000')))
    await confirmedRegister(sale.partner, fileOf(sold, await line(id, '-12000')))
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), [])
    assert.deepEqual(await defectsOf(sale.partner), [])
  })

  test('a refund on the day after in the acquirer’s file', async ({ assert }) => {
    const sale = await aSale()
    const orderId = await soldOrderOf(sale, ['seat-2-1', 'seat-2-2'])
    await refund(sale.client, orderId, await ticketsOf(orderId))
    const sold = await lineOf(orderId)
    const back = (day: number) => lineOf(orderId, { tenge: '-12000', at: noonOn(day) })
    await confirmedRegister(sale.partner, fileOf(sold, await back(-1)))
    await confirmedRegister(sale.partner, fileOf(sold, await back(0)))
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), ['12000 BUYER'])
  })

  test('of two refunds one has no day: an earlier file of the other one takes nothing away', async ({
    assert,
  }) => {
    const sale = await aSale()
    const orderId = await soldOrderOf(sale, ['seat-2-1', 'seat-2-2'])
    await refund(sale.client, orderId, await ticketsOf(orderId))
    const sold = await lineOf(orderId)
    const back = (at: string) => lineOf(orderId, { tenge: '-12000', at, payment: '' })
    await confirmedRegister(sale.partner, fileOf(sold, await back(noonOn(0)), await back('')))
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), [])
    await confirmedRegister(sale.partner, fileOf(sold, await back(noonOn(0))))
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), [])
  })

  test('a refund of the second charge by the order and the payment, a month later, of a nameless file', async ({
    assert,
  }) => {
    const sale = await aSale()
    const orderId = await soldOrderOf(sale, ['seat-2-1'])
    await moveInTime(sale.partner, '-10 days')
    const first = fileOf(await lineOf(orderId), await lineOf(orderId, { payment: 'pay-2' }))
    await confirmedRegister(sale.partner, first, daysAgo(12, 8))
    await refreshLastDays(sale.partner, 20)
    assert.deepEqual(await exposuresOf(sale.partner), ['12000 BUYER'])
    // The next month's file has no ids of payments at all.
    const back = await lineOf(orderId, { payment: '', tenge: '-12000', at: noonOn(0) })
    await confirmedRegister(sale.partner, fileOf(back), daysAgo(2, -1))
    await refreshLastDays(sale.partner, 20)
    assert.deepEqual(await exposuresOf(sale.partner), [])
  })

  test('the second charge goes back by a refund id of its own, a month later', async ({
    assert,
  }) => {
    const sale = await aSale()
    const orderId = await soldOrderOf(sale, ['seat-2-1'])
    await moveInTime(sale.partner, '-10 days')
    const first = fileOf(await lineOf(orderId), await lineOf(orderId, { payment: 'pay-2' }))
    await confirmedRegister(sale.partner, first, daysAgo(12, 8))
    const back = await lineOf(orderId, { payment: 'refund-77', tenge: '-12000', at: noonOn(0) })
    await confirmedRegister(sale.partner, fileOf(back), daysAgo(2, -1))
    await refreshLastDays(sale.partner, 20)
    assert.deepEqual(await exposuresOf(sale.partner), [])
  })

  test('the second charge goes back by a refund id of its own, in the same file', async ({
    assert,
  }) => {
    const sale = await aSale()
    const orderId = await soldOrderOf(sale, ['seat-2-1'])
    const lines = [
      await lineOf(orderId),
      await lineOf(orderId, { payment: 'pay-2' }),
      await lineOf(orderId, { payment: 'refund-77', tenge: '-12000' }),
    ]
    await confirmedRegister(sale.partner, fileOf(...lines))
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), [])
  })

  test('one order in a file by ticket and in one by order, refunds in a third without payments', async ({
    assert,
  }) => {
    const sale = await aSale()
    const sold = await lineOf(await soldOrderOf(sale, ['seat-2-1']))
    const row = (pay: string, tenge: number, minutes: number) =>
      `o-1;${pay};${minutesAfter(noonOn(0), minutes)};${tenge};${tenge < 0 ? 'Возврат' : 'Оплата'}`
    await confirmedRegister(sale.partner, fileOf(sold, row('p', 5_000, 1), row('p', 7_000, 2)))
    await confirmedRegister(sale.partner, fileOf(sold, row('', 12_000, 1)))
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), ['12000 BUYER'])
    await confirmedRegister(sale.partner, fileOf(sold, row('', -5_000, 9)))
    await confirmedRegister(sale.partner, fileOf(sold, row('p', -5_000, 9)))
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), ['7000 BUYER'])
  })

  for (const isFirst of [false, true])
    test(`refunds by two terminals, two of which are one terminal’s, ${isFirst ? 'one' : 'other'} file first`, async ({
      assert,
    }) => {
      const sale = await aSale()
      const seats = ['seat-2-1', 'seat-2-2', 'seat-2-3', 'seat-2-4']
      const orderId = await soldOrderOf(sale, seats)
      await refund(sale.client, orderId, await ticketsOf(orderId))
      const sold = await lineOf(orderId)
      const back = (payment: string, minutes: number) =>
        lineOf(orderId, { payment, tenge: '-12000', at: minutesAfter(noonOn(0), minutes) })
      const files = [
        fileOf(sold, await back('rrn-1', 1), await back('rrn-2', 2)),
        fileOf(sold, await back('rrn-1', 1), await back('rrn-1', 3)),
      ]
      for (const file of isFirst ? files : files.toReversed())
        await confirmedRegister(sale.partner, file)
      await refreshDefects(sale.partner)
      assert.deepEqual(await exposuresOf(sale.partner), ['12000 BUYER'])
    })
})
