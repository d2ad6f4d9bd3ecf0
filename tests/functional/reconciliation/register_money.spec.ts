import { refreshDefects } from '#tests/support/cases'
import { aSale, paymentOf } from '#tests/support/fixtures'
import { confirm, refund } from '#tests/support/operations'
import { exposuresOf, defectsOf, expiredOrderOf, noonOn } from '#tests/support/register_defects'
import {
  confirmedRegister,
  fileOf,
  HEADER,
  lineOf,
  soldOrderOf,
  ticketsOf,
} from '#tests/support/registers'
import { test } from '@japa/runner'

test.group('Money of registers, counted once', () => {
  test('what a refused confirm told of went back, by the register', async ({ assert }) => {
    const sale = await aSale()
    const sold = await lineOf(await soldOrderOf(sale, ['seat-2-1']))
    const name = `TIX-${sale.partner.code}`
    const payment = paymentOf(7_000)
    await confirm(sale.client, name, payment)
    const id = payment.payment_info.external_payment_id
    const row = (tenge: number, kind: string) => `${name};${id};${noonOn(0)};${tenge};${kind}`
    await confirmedRegister(
      sale.partner,
      fileOf(sold, row(7_000, 'Оплата'), row(-7_000, 'Возврат'))
    )
    await refreshDefects(sale.partner)
    assert.deepEqual(await defectsOf(sale.partner), [])
    assert.deepEqual(await exposuresOf(sale.partner), [])
  })

  test('a refund is of the payment that it names', async ({ assert }) => {
    const sale = await aSale()
    const sold = await lineOf(await soldOrderOf(sale, ['seat-2-1']))
    const name = `TIX-${sale.partner.code}`
    const payment = paymentOf(7_000)
    await confirm(sale.client, name, payment)
    const heard = payment.payment_info.external_payment_id
    const row = (id: string, tenge: number, kind: string) =>
      `${name};${id};${noonOn(0)};${tenge};${kind}`
    const file = fileOf(
      sold,
      row(heard, 7_000, 'Оплата'),
      row('pay-2', 7_000, 'Оплата'),
      row('pay-2', -7_000, 'Возврат')
    )
    await confirmedRegister(sale.partner, file)
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), ['7000 BUYER'])
  })

  test('one payment, with and without the order’s name', async ({ assert }) => {
    const sale = await aSale()
    const sold = await lineOf(await soldOrderOf(sale, ['seat-2-1']))
    const pay = `pay-${sale.partner.code}`
    await confirmedRegister(sale.partner, fileOf(sold, `o-1;${pay};${noonOn(0)};7000;Оплата`))
    await confirmedRegister(sale.partner, fileOf(sold, `;${pay};${noonOn(0)};7000;Оплата`))
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), ['7000 BUYER'])
  })

  test('a refund that names the payment alone', async ({ assert }) => {
    const sale = await aSale()
    const sold = await lineOf(await soldOrderOf(sale, ['seat-2-1']))
    const pay = `pay-${sale.partner.code}`
    await confirmedRegister(sale.partner, fileOf(sold, `o-1;${pay};${noonOn(0)};7000;Оплата`))
    await confirmedRegister(sale.partner, fileOf(sold, `;${pay};${noonOn(0)};-7000;Возврат`))
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), [])
  })

  test('a second charge with and without the order’s name', async ({ assert }) => {
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

  test('a second charge whose refund names the payment alone', async ({ assert }) => {
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

  test('two nameless charges that another register names', async ({ assert }) => {
    const sale = await aSale()
    const sold = await lineOf(await soldOrderOf(sale, ['seat-2-1']))
    const name = `o-${sale.partner.code}`
    const [first, second] = [noonOn(0), noonOn(0).replace('12:00:00', '12:05:00')]
    const row = (pay: string, at: string) => `${name};${pay};${at};7000;Оплата`
    await confirmedRegister(sale.partner, fileOf(sold, row('pay-1', first), row('pay-2', second)))
    await confirmedRegister(sale.partner, fileOf(sold, row('', first), row('', second)))
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), ['14000 BUYER'])
  })

  test('two charges that name no payment, one refund', async ({ assert }) => {
    const sale = await aSale()
    const sold = await lineOf(await soldOrderOf(sale, ['seat-2-4']))
    const orderId = await expiredOrderOf(sale, 'seat-2-1')
    const row = (day: number, tenge: string) =>
      lineOf(orderId, { payment: '', tenge, at: noonOn(day) })
    await confirmedRegister(sale.partner, fileOf(sold, await row(-1, '12000')))
    await confirmedRegister(sale.partner, fileOf(sold, await row(0, '12000')))
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), ['24000 BUYER'])
    await confirmedRegister(sale.partner, fileOf(sold, await row(0, '-12000')))
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), ['12000 BUYER'])
  })

  test('a refund in a dated register and in one without dates went back once', async ({
    assert,
  }) => {
    const sale = await aSale()
    const orderId = await soldOrderOf(sale, ['seat-2-1', 'seat-2-2'])
    await refund(sale.client, orderId, await ticketsOf(orderId))
    const dated = [await lineOf(orderId), await lineOf(orderId, { tenge: '-12000' })]
    const undated = [HEADER, ...dated].map((line) => line.split(';').toSpliced(2, 1).join(';'))
    await confirmedRegister(sale.partner, fileOf(...dated))
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), ['12000 BUYER'])
    await confirmedRegister(sale.partner, undated.join('\r\n'))
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), ['12000 BUYER'])
  })

  test('refunds in two files by terminal and by order in a third', async ({ assert }) => {
    const sale = await aSale()
    const seats = ['seat-2-1', 'seat-2-2', 'seat-2-3', 'seat-2-4']
    const orderId = await soldOrderOf(sale, seats)
    await refund(sale.client, orderId, await ticketsOf(orderId))
    const sold = await lineOf(orderId)
    const back = (payment: string, tenge: string) => lineOf(orderId, { payment, tenge })
    await confirmedRegister(sale.partner, fileOf(sold, await back('rrn-1', '-12000')))
    await confirmedRegister(sale.partner, fileOf(sold, await back('rrn-2', '-12000')))
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), ['24000 BUYER'])
    await confirmedRegister(sale.partner, fileOf(sold, await back('', '-24000')))
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), ['24000 BUYER'])
  })

  test('a payment whose zeros a spreadsheet took is the same payment', async ({ assert }) => {
    const sale = await aSale()
    const orderId = await soldOrderOf(sale, ['seat-2-1'])
    const sold = await lineOf(orderId)
    for (const payment of ['000123456789', '123456789'])
      await confirmedRegister(sale.partner, fileOf(sold, await lineOf(orderId, { payment })))
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), ['12000 BUYER'])
  })

  test('of two charges by ids of the acquirer the one that went back stands first', async ({
    assert,
  }) => {
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

  test('a cart that one register names order by order and another by its payment', async ({
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
    assert.deepEqual(await exposuresOf(sale.partner), ['7000 BUYER', '5000 BUYER'])
    await confirmedRegister(sale.partner, fileOf(sold, row('', -9_000, 'Возврат')))
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), ['3000 BUYER'])
  })

  test('a sale by an id of the acquirer that another register has without its order', async ({
    assert,
  }) => {
    const sale = await aSale()
    const orderId = await soldOrderOf(sale, ['seat-2-1'])
    const [other, rrn] = [
      await lineOf(await soldOrderOf(sale, ['seat-2-2'])),
      `rrn-${sale.partner.code}`,
    ]
    await confirmedRegister(sale.partner, fileOf(other, await lineOf(orderId, { payment: rrn })))
    // Another sum than any order's, so that nothing but the payment leads to it.
    const more = await lineOf(orderId, { payment: rrn, key: '', tenge: '13000' })
    await confirmedRegister(sale.partner, fileOf(other, more, await lineOf(orderId)))
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), ['1000 BUYER'])
  })

  test('a payment without its order in registers with and without a day', async ({ assert }) => {
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

  test('a second charge, ticket by ticket', async ({ assert }) => {
    const sale = await aSale()
    const orderId = await soldOrderOf(sale, ['seat-2-1', 'seat-2-2'])
    const half = (at: string) => lineOf(orderId, { payment: 'pay-2', tenge: '12000', at })
    const [first, second] = [noonOn(0), noonOn(0).replace('12:00:00', '12:00:05')]
    await confirmedRegister(
      sale.partner,
      fileOf(await lineOf(orderId), await half(first), await half(second))
    )
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), ['24000 BUYER'])
  })
})
