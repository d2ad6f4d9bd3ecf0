import { refreshDefects } from '#tests/support/cases'
import { lapseOrder } from '#tests/support/circumstances'
import { dataOf } from '#tests/support/answers'
import { aSale, book, order, paymentOf } from '#tests/support/fixtures'
import { confirm, refund } from '#tests/support/operations'
import {
  daysAgo,
  exposuresOf,
  defectsOf,
  refreshLastDays,
  expiredOrderOf,
  noonOn,
} from '#tests/support/register_defects'
import {
  categoriesOf,
  confirmedRegister,
  confirmRegister,
  decideMatches,
  fileOf,
  partnerFieldsOf,
  lineOf,
  matchedRegister,
  soldOrderOf,
  ticketsOf,
} from '#tests/support/registers'
import { moveInTime } from '#tests/support/settlement'
import { test } from '@japa/runner'

test.group('What is evidence in registers, and of what', () => {
  test('a row that is there twice counts once', async ({ assert }) => {
    const sale = await aSale()
    const sold = await lineOf(await soldOrderOf(sale, ['seat-2-1']))
    const row = (tenge: number, kind: string) =>
      `o-${sale.partner.code};pay-9;${noonOn(0)};${tenge};${kind}`
    const back = row(-3_000, 'Возврат')
    const registerId = await confirmedRegister(
      sale.partner,
      fileOf(sold, row(7_000, 'Оплата'), back, back)
    )
    assert.include(await categoriesOf(registerId), 'DUP_IN_FILE')
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), ['4000 BUYER'])
  })

  test('a declined refund of money for an order that we never had is none', async ({ assert }) => {
    const sale = await aSale()
    const sold = await lineOf(await soldOrderOf(sale, ['seat-2-1']))
    const row = (tenge: number, kind: string) =>
      `o-${sale.partner.code};pay-9;${noonOn(0)};${tenge};${kind}`
    const file = fileOf(sold, row(7_000, 'Оплата'), row(-7_000, 'Возврат отклонён'))
    await confirmedRegister(sale.partner, file)
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), ['7000 BUYER'])
  })

  test('a rejected match of a declined payment is no money', async ({ assert }) => {
    const sale = await aSale()
    const orderId = await soldOrderOf(sale, ['seat-2-1'])
    const { key } = await partnerFieldsOf(orderId)
    const line = await lineOf(orderId, { key: key.toUpperCase(), payment: '' })
    const registerId = await matchedRegister(
      sale.partner,
      fileOf(line.replace('Оплата', 'Отклонено'))
    )
    await decideMatches(registerId, { decision: 'rejected' })
    await confirmRegister(registerId)
    await refreshDefects(sale.partner)
    assert.deepEqual(await defectsOf(sale.partner), [
      `MISSING_AT_PARTNER ${orderId} 12000 PLATFORM`,
    ])
  })

  test('an order that another register calls declined stays missing', async ({ assert }) => {
    const sale = await aSale()
    const here = await lineOf(await soldOrderOf(sale, ['seat-2-1']))
    const lacking = await soldOrderOf(sale, ['seat-2-2'])
    const line = await lineOf(lacking)
    const declined = line.replace('Оплата', 'Отклонено')
    await confirmedRegister(sale.partner, fileOf(here))
    await confirmedRegister(sale.partner, fileOf(here, declined))
    await refreshDefects(sale.partner)
    assert.deepEqual(await defectsOf(sale.partner), [
      `MISSING_AT_PARTNER ${lacking} 12000 PLATFORM`,
    ])
  })

  test('charges of an unpaid order count payment by payment, by the day and by the month', async ({
    assert,
  }) => {
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

  test('of two charges of an unpaid order a confirm has told of one', async ({ assert }) => {
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
    assert.deepEqual(await defectsOf(sale.partner), [`MISSING_AT_PLATFORM ${orderId} 24000 BUYER`])
    assert.deepEqual(await exposuresOf(sale.partner), ['24000 BUYER'])
  })

  test('a refund without a void is told where its sale stands in another register', async ({
    assert,
  }) => {
    const sale = await aSale()
    const orderId = await soldOrderOf(sale, ['seat-2-1'])
    await confirmedRegister(sale.partner, fileOf(await lineOf(orderId)))
    await confirmedRegister(sale.partner, fileOf(await lineOf(orderId, { tenge: '-12000' })))
    await refreshDefects(sale.partner)
    assert.deepEqual(await defectsOf(sale.partner), [
      `REFUND_WITHOUT_VOID ${orderId} 12000 PLATFORM`,
    ])
  })

  test('a fee in the amount hides no difference of refunds', async ({ assert }) => {
    const sale = await aSale()
    const [lost, kept, partly] = [
      await soldOrderOf(sale, ['seat-2-1']),
      await soldOrderOf(sale, ['seat-2-2']),
      await soldOrderOf(sale, ['seat-2-3', 'seat-2-4']),
    ]
    const [ticket] = await ticketsOf(partly)
    await refund(sale.client, lost, await ticketsOf(lost))
    await refund(sale.client, partly, [ticket])
    await confirmedRegister(
      sale.partner,
      fileOf(
        await lineOf(lost, { tenge: '12500' }),
        await lineOf(kept, { tenge: '12500' }),
        await lineOf(kept, { tenge: '-12500' }),
        // The fee went back with the price.
        await lineOf(partly, { tenge: '25000' }),
        await lineOf(partly, { tenge: '-12500' })
      )
    )
    await refreshDefects(sale.partner)
    assert.deepEqual(await defectsOf(sale.partner), [
      `REFUND_WITHOUT_VOID ${kept} 12000 PLATFORM`,
      `VOID_WITHOUT_REFUND ${lost} 12000 BUYER`,
    ])
  })

  test('a rejected refund of an earlier sale leaves the void open, and the sale alone', async ({
    assert,
  }) => {
    const sale = await aSale()
    const orderId = await soldOrderOf(sale, ['seat-2-1', 'seat-2-2'])
    await moveInTime(sale.partner, '-10 days')
    const [ticket] = await ticketsOf(orderId)
    await refund(sale.client, orderId, [ticket])
    const { key } = await partnerFieldsOf(orderId)
    const alike = { key: key.toUpperCase(), payment: '', tenge: '-12000', at: noonOn(0) }
    const registerId = await matchedRegister(sale.partner, fileOf(await lineOf(orderId, alike)))
    await decideMatches(registerId, { decision: 'rejected' })
    await confirmRegister(registerId)
    await refreshLastDays(sale.partner, 20)
    assert.deepEqual(await defectsOf(sale.partner), [`VOID_WITHOUT_REFUND ${orderId} 12000 BUYER`])
  })

  test('a rejected match lets no order be missing in a register of other days', async ({
    assert,
  }) => {
    const sale = await aSale()
    const orderId = await soldOrderOf(sale, ['seat-2-1'])
    await moveInTime(sale.partner, '-2 days')
    const { key } = await partnerFieldsOf(orderId)
    const alike = { key: key.toUpperCase(), payment: '', at: noonOn(0) }
    const registerId = await matchedRegister(sale.partner, fileOf(await lineOf(orderId, alike)))
    await decideMatches(registerId, { decision: 'rejected' })
    await confirmRegister(registerId)
    await refreshLastDays(sale.partner, 20)
    assert.deepEqual(await defectsOf(sale.partner), [
      `MISSING_AT_PLATFORM ${key.toUpperCase()} 12000 BUYER`,
    ])
  })

  test('voids without a refund add up over the days of several registers', async ({ assert }) => {
    const sale = await aSale()
    const orderId = await soldOrderOf(sale, ['seat-2-1', 'seat-2-2', 'seat-2-3'])
    const [first, second] = await ticketsOf(orderId)
    await moveInTime(sale.partner, '-5 days')
    await refund(sale.client, orderId, [first])
    await moveInTime(sale.partner, '-5 days')
    await refund(sale.client, orderId, [second])
    await confirmedRegister(sale.partner, fileOf(await lineOf(orderId)), daysAgo(12, 8))
    const other = (day: number) => `x-${day};p-${day};${noonOn(day)};1000;Оплата`
    await confirmedRegister(sale.partner, fileOf(other(-5)), daysAgo(7, 3))
    await confirmedRegister(sale.partner, fileOf(other(0)), daysAgo(2, -1))
    await refreshLastDays(sale.partner, 20)
    assert.include(await defectsOf(sale.partner), `VOID_WITHOUT_REFUND ${orderId} 24000 BUYER`)
  })

  test('refunds without a void add up over the days of several registers', async ({ assert }) => {
    const sale = await aSale()
    const orderId = await soldOrderOf(sale, ['seat-2-1', 'seat-2-2', 'seat-2-3'])
    await moveInTime(sale.partner, '-10 days')
    await confirmedRegister(sale.partner, fileOf(await lineOf(orderId)), daysAgo(12, 8))
    for (const [day, from, to] of [
      [-5, 7, 3],
      [0, 2, -1],
    ]) {
      const back = await lineOf(orderId, { tenge: '-12000', at: noonOn(day) })
      await confirmedRegister(sale.partner, fileOf(back), daysAgo(from, to))
    }
    await refreshLastDays(sale.partner, 20)
    assert.deepEqual(await defectsOf(sale.partner), [
      `REFUND_WITHOUT_VOID ${orderId} 24000 PLATFORM`,
    ])
  })
})
