import { dataOf } from '#tests/support/answers'
import { latePayment, refreshDefects } from '#tests/support/cases'
import { lapseOrder } from '#tests/support/circumstances'
import { aSale, book, order, paymentOf, sell } from '#tests/support/fixtures'
import { confirm, refund } from '#tests/support/operations'
import {
  caseExposureOf,
  daysAgo,
  defectsOf,
  expiredOrderOf,
  exposuresOf,
  minutesAfter,
  noonOn,
  pendingOrderOf,
} from '#tests/support/register_defects'
import {
  COVERS_ALL,
  confirmedRegister,
  confirmRegister,
  decideMatches,
  fileOf,
  HEADER,
  lineOf,
  matchedRegister,
  matchesOf,
  partnerFieldsOf,
  soldOrderOf,
  ticketsOf,
} from '#tests/support/registers'
import { test } from '@japa/runner'

test.group('Second charges of a paid order', () => {
  test('a second charge that the register shows as refunded is no money at risk', async ({
    assert,
  }) => {
    const { partner, client, event } = await aSale()
    const { order_id: orderId } = await sell(client, event.id, ['seat-2-1'])
    const again = paymentOf(12_000)
    await confirm(client, orderId, again)
    const payment = again.payment_info.external_payment_id
    await refreshDefects(partner)
    assert.deepEqual(await caseExposureOf(orderId), { buyer: 12_000 })
    const charged = await lineOf(orderId, { payment })
    const returned = await lineOf(orderId, { payment, tenge: '-12000' })
    const registerId = await matchedRegister(
      partner,
      fileOf(await lineOf(orderId), charged, returned)
    )
    assert.deepEqual(await matchesOf(registerId), [`MATCHED GROUP_MANY_TO_ONE [2,3,4] ${orderId}`])
    await confirmRegister(registerId)
    await refreshDefects(partner)
    assert.deepEqual(await defectsOf(partner), [])
    assert.deepEqual(await caseExposureOf(orderId), {})
  })

  test('the refund of a second charge does not count as the refund of a ticket', async ({
    assert,
  }) => {
    const sale = await aSale()
    const orderId = await soldOrderOf(sale, ['seat-2-1'])
    await refund(sale.client, orderId, await ticketsOf(orderId))
    const payment = 'pay-unconfirmed'
    const charged = await lineOf(orderId, { payment })
    const returned = await lineOf(orderId, { payment, tenge: '-12000' })
    await confirmedRegister(sale.partner, fileOf(await lineOf(orderId), charged, returned))
    await refreshDefects(sale.partner)
    assert.deepEqual(await caseExposureOf(orderId), { buyer: 12_000 })

    const other = await soldOrderOf(sale, ['seat-2-2'])
    const part = await lineOf(other, { payment: 'pay-other', tenge: '-5000' })
    const second = await lineOf(other, { payment: 'pay-other' })
    await confirmedRegister(sale.partner, fileOf(await lineOf(other), second, part))
    await refreshDefects(sale.partner)
    assert.deepEqual(await caseExposureOf(other), { buyer: 7_000 })
  })

  test('two further charges without payment ids count as two', async ({ assert }) => {
    const sale = await aSale()
    const orderId = await soldOrderOf(sale, ['seat-2-1'])
    const { at } = await partnerFieldsOf(orderId)
    const nameless = await lineOf(orderId, { payment: '' })
    const again = [1, 2].map((minutes) =>
      nameless.replace(at, `${noonOn(0).slice(0, 11)}12:0${minutes}:00`)
    )
    const file = fileOf(await lineOf(orderId), ...again)
    for (const end of ['', '\r\n']) {
      await confirmedRegister(sale.partner, file + end)
      await refreshDefects(sale.partner)
      assert.deepEqual(await defectsOf(sale.partner), [
        `MISSING_AT_PLATFORM ${orderId} 24000 BUYER`,
      ])
      assert.deepEqual(await caseExposureOf(orderId), { buyer: 24_000 })
    }
  })

  test('a second charge counts once with and without its order number', async ({ assert }) => {
    const sale = await aSale()
    const orderId = await soldOrderOf(sale, ['seat-2-1'])
    const pay = `pay-${sale.partner.code}`
    const sold = await lineOf(orderId)
    await confirmedRegister(sale.partner, fileOf(sold, await lineOf(orderId, { payment: pay })))
    await confirmedRegister(
      sale.partner,
      fileOf(sold, await lineOf(orderId, { payment: pay, key: '' }))
    )
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), ['12000 BUYER'])
  })

  test('a second charge is settled by a refund with its payment id alone', async ({ assert }) => {
    const sale = await aSale()
    const orderId = await soldOrderOf(sale, ['seat-2-1'])
    const pay = `pay-${sale.partner.code}`
    const sold = await lineOf(orderId)
    await confirmedRegister(sale.partner, fileOf(sold, await lineOf(orderId, { payment: pay })))
    const back = await lineOf(orderId, { payment: pay, key: '', tenge: '-12000' })
    await confirmedRegister(sale.partner, fileOf(sold, back))
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), [])
  })

  test('a second charge with one row per ticket counts in full', async ({ assert }) => {
    const sale = await aSale()
    const orderId = await soldOrderOf(sale, ['seat-2-1', 'seat-2-2'])
    const half = (at: string) => lineOf(orderId, { payment: 'pay-2', tenge: '12000', at })
    const [first, second] = [noonOn(0), noonOn(0).replace('12:00:00', '12:00:05')]
    await confirmedRegister(
      sale.partner,
      fileOf(await lineOf(orderId), await half(first), await half(second)),
      { setup: { rowIs: 'ticket' } }
    )
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), ['24000 BUYER'])
  })

  test('of two charges with acquirer ids the refunded one may come first', async ({ assert }) => {
    const sale = await aSale()
    const orderId = await soldOrderOf(sale, ['seat-2-1'])
    const line = (payment: string, tenge?: string) =>
      lineOf(orderId, { payment, ...(tenge && { tenge }) })
    const lines = [await line('rrn-1'), await line('rrn-1', '-12000'), await line('rrn-2')]
    await confirmedRegister(sale.partner, fileOf(...lines))
    await refreshDefects(sale.partner)
    assert.deepEqual(await defectsOf(sale.partner), [])
    assert.deepEqual(await exposuresOf(sale.partner), [])
  })

  test('a second charge whose match was rejected is money at risk', async ({ assert }) => {
    const sale = await aSale()
    const orderId = await soldOrderOf(sale, ['seat-2-1'])
    const { key } = await partnerFieldsOf(orderId)
    const second = await lineOf(orderId, { key: key.toUpperCase(), payment: 'pay-2' })
    const registerId = await matchedRegister(sale.partner, fileOf(await lineOf(orderId), second))
    await decideMatches(registerId, { decision: 'rejected' }, 'MISSING_AT_PLATFORM')
    await confirmRegister(registerId)
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), ['12000 BUYER'])
  })
})

test.group('Charges of an unpaid order', () => {
  test('two charges with one row per ticket add up', async ({ assert }) => {
    const sale = await aSale()
    const sold = await lineOf(await soldOrderOf(sale, ['seat-2-4']))
    const orderId = await expiredOrderOf(sale, 'seat-2-1', 'seat-2-2')
    const part = (payment: string, minutes: number) =>
      lineOf(orderId, { payment, tenge: '12000', at: minutesAfter(noonOn(0), minutes) })
    const lines = await Promise.all([
      part('p-1', 1),
      part('p-1', 2),
      part('p-2', 3),
      part('p-2', 4),
    ])
    await confirmedRegister(sale.partner, fileOf(sold, ...lines), { setup: { rowIs: 'ticket' } })
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), ['48000 BUYER'])
  })

  test('two charges without payment ids count as two, although one was also confirmed', async ({
    assert,
  }) => {
    const sale = await aSale()
    const sold = await lineOf(await soldOrderOf(sale, ['seat-2-4']))
    const orderId = await pendingOrderOf(sale, ['seat-2-1'])
    await lapseOrder(orderId)
    await confirm(sale.client, orderId, paymentOf(12_000))
    const row = (day: number) => lineOf(orderId, { payment: '', tenge: '12000', at: noonOn(day) })
    await confirmedRegister(sale.partner, fileOf(sold, await row(-1), await row(0)))
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), ['24000 BUYER'])
  })

  test('two charges with payment ids count as two, although one was also confirmed', async ({
    assert,
  }) => {
    const sale = await aSale()
    const sold = await lineOf(await soldOrderOf(sale, ['seat-2-4']))
    const booking = dataOf(await book(sale.client, sale.event.id, ['seat-2-1', 'seat-2-2']))
    const { order_id: orderId } = dataOf(await order(sale.client, booking.booking_id))
    const half = paymentOf(12_000)
    await confirm(sale.client, orderId, half)
    await lapseOrder(orderId)
    const part = (payment: string) => lineOf(orderId, { payment, tenge: '12000', at: noonOn(0) })
    const lines = [await part(half.payment_info.external_payment_id), await part('pay-b')]
    await confirmedRegister(sale.partner, fileOf(sold, ...lines))
    await refreshDefects(sale.partner)
    // The other half is told of by CONFIRM_AMOUNT_MISMATCH.
    assert.deepEqual(await defectsOf(sale.partner), [`MISSING_AT_PLATFORM ${orderId} 12000 BUYER`])
    assert.deepEqual(await exposuresOf(sale.partner), ['24000 BUYER'])
  })

  test('charges in daily and monthly registers count once per payment', async ({ assert }) => {
    const sale = await aSale()
    const sold = await lineOf(await soldOrderOf(sale, ['seat-2-4']))
    const orderId = await expiredOrderOf(sale, 'seat-2-1')
    const part = (payment: string, day: number) =>
      lineOf(orderId, { payment, tenge: '6000', at: noonOn(day) })
    const [yesterday, today] = [await part('pay-a', -1), await part('pay-b', 0)]
    await confirmedRegister(sale.partner, fileOf(sold, yesterday), daysAgo(1, 0))
    await confirmedRegister(sale.partner, fileOf(sold, today), daysAgo(0, -1))
    await confirmedRegister(sale.partner, fileOf(sold, yesterday, today))
    await refreshDefects(sale.partner)
    const found = await defectsOf(sale.partner)
    assert.include(found, `MISSING_AT_PLATFORM ${orderId} 12000 BUYER`)
  })

  test('a resent register with one more charge adds that charge', async ({ assert }) => {
    const sale = await aSale()
    const sold = await lineOf(await soldOrderOf(sale, ['seat-2-4']))
    const orderId = await expiredOrderOf(sale, 'seat-2-1')
    const row = (minutes: number) =>
      lineOf(orderId, { payment: '', tenge: '12000', at: minutesAfter(noonOn(0), minutes) })
    await confirmedRegister(sale.partner, fileOf(sold, await row(1)))
    await confirmedRegister(sale.partner, fileOf(sold, await row(1), await row(9)))
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), ['24000 BUYER'])
  })

  test('a payment confirmed with a wrong amount counts with the amount of the register', async ({
    assert,
  }) => {
    const sale = await aSale()
    const sold = await lineOf(await soldOrderOf(sale, ['seat-2-4']))
    const orderId = await pendingOrderOf(sale, ['seat-2-1'])
    const payment = paymentOf(1_200)
    await confirm(sale.client, orderId, payment)
    await lapseOrder(orderId)
    const id = payment.payment_info.external_payment_id
    const row = await lineOf(orderId, { payment: id, tenge: '12000', at: noonOn(0) })
    await confirmedRegister(sale.partner, fileOf(sold, row))
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), ['12000 BUYER'])
  })

  test('a charge without its payment id counts once in registers with and without dates', async ({
    assert,
  }) => {
    const sale = await aSale()
    const orderId = await expiredOrderOf(sale, 'seat-2-1')
    const sold = await lineOf(await soldOrderOf(sale, ['seat-2-4']))
    const dated = [sold, await lineOf(orderId, { payment: '', tenge: '12000', at: noonOn(0) })]
    const undated = [HEADER, ...dated].map((line) => line.split(';').toSpliced(2, 1).join(';'))
    await confirmedRegister(sale.partner, fileOf(...dated))
    await confirmedRegister(sale.partner, undated.join('\r\n'))
    await confirmedRegister(sale.partner, undated.join('\n'))
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), ['12000 BUYER'])
  })

  test('a charge of a pending order counts once the order has expired', async ({ assert }) => {
    const sale = await aSale()
    const orders: string[] = []
    for (const seat of ['seat-2-1', 'seat-2-2']) {
      const { booking_id: bookingId } = dataOf(await book(sale.client, sale.event.id, [seat]))
      const { order_id: orderId } = dataOf(await order(sale.client, bookingId))
      orders.push(orderId)
    }
    const [lapsed, paid] = orders
    const lines = [
      await lineOf(lapsed, { payment: 'rrn-1' }),
      await lineOf(paid, { payment: 'rrn-2' }),
    ]
    await confirmedRegister(sale.partner, fileOf(...lines))
    await refreshDefects(sale.partner)
    assert.deepEqual(await defectsOf(sale.partner), [])
    await confirm(sale.client, paid, paymentOf(12_000))
    await lapseOrder(lapsed)
    await refreshDefects(sale.partner)
    assert.deepEqual(await defectsOf(sale.partner), [`MISSING_AT_PLATFORM ${lapsed} 12000 BUYER`])
    assert.deepEqual(await caseExposureOf(lapsed), { buyer: 12_000 })
  })

  test('the payment of a refused confirm counts once, and not at all when it was refunded', async ({
    assert,
  }) => {
    const { partner, orderId, payment } = await latePayment()
    const line = await lineOf(orderId, { payment: payment.payment_info.external_payment_id })
    await confirmedRegister(partner, fileOf(line))
    await refreshDefects(partner)
    // CONFIRM_ORDER_EXPIRED tells of it.
    assert.deepEqual(await defectsOf(partner), [])
    assert.deepEqual(await caseExposureOf(orderId), { buyer: 12_000 })

    const other = await latePayment()
    const paid = other.payment.payment_info.external_payment_id
    const both = await lineOf(other.orderId, { payment: paid })
    const returned = await lineOf(other.orderId, { payment: paid, tenge: '-12000' })
    await confirmedRegister(other.partner, fileOf(both, returned))
    await refreshDefects(other.partner)
    assert.deepEqual(await caseExposureOf(other.orderId), {})
  })
})

test.group('Refunds of an unpaid order', () => {
  test('a refund with an id of its own settles the charge, in the same or a later register', async ({
    assert,
  }) => {
    for (const isApart of [false, true]) {
      const { partner, orderId, payment } = await latePayment()
      const sold = await lineOf(orderId, { payment: payment.payment_info.external_payment_id })
      const back = await lineOf(orderId, { payment: 'rrn-77', tenge: '-12000' })
      if (isApart) await confirmedRegister(partner, fileOf(sold))
      const file = isApart ? fileOf(back) : fileOf(sold, back)
      await confirmedRegister(partner, file, { setup: COVERS_ALL })
      await refreshDefects(partner)
      assert.deepEqual(await defectsOf(partner), [])
      assert.deepEqual(await caseExposureOf(orderId), {})
    }
  })

  test('partial refunds in a later register reduce a charge that was never confirmed', async ({
    assert,
  }) => {
    const sale = await aSale()
    const sold = await lineOf(await soldOrderOf(sale, ['seat-2-2']))
    const booking = dataOf(await book(sale.client, sale.event.id, ['seat-2-1']))
    const { order_id: orderId } = dataOf(await order(sale.client, booking.booking_id))
    await lapseOrder(orderId)
    const charged = await lineOf(orderId, { payment: 'rrn-1' })
    await confirmedRegister(sale.partner, fileOf(sold, charged))
    const parts = [
      await lineOf(orderId, { payment: '', tenge: '-4000' }),
      await lineOf(orderId, { payment: 'rrn-2', tenge: '-3000' }),
    ]
    await confirmedRegister(sale.partner, fileOf(sold, ...parts))
    await refreshDefects(sale.partner)
    assert.deepEqual(await defectsOf(sale.partner), [`MISSING_AT_PLATFORM ${orderId} 5000 BUYER`])
    assert.deepEqual(await caseExposureOf(orderId), { buyer: 5_000 })
  })

  test('a refund without a payment id settles one of two charges without ids', async ({
    assert,
  }) => {
    const sale = await aSale()
    const sold = await lineOf(await soldOrderOf(sale, ['seat-2-4']))
    const orderId = await expiredOrderOf(sale, 'seat-2-1')
    const row = (day: number, tenge: string) =>
      lineOf(orderId, { payment: '', tenge, at: noonOn(day) })
    await confirmedRegister(sale.partner, fileOf(await row(-1, '12000')), daysAgo(1, 0))
    await confirmedRegister(sale.partner, fileOf(sold, await row(0, '12000')), daysAgo(0, -1))
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), ['24000 BUYER'])
    await confirmedRegister(sale.partner, fileOf(sold, await row(0, '-12000')))
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), ['12000 BUYER'])
  })

  test('a refund with the confirmed payment id settles a charge without one', async ({
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
})
