import { refreshDefects } from '#tests/support/cases'
import { aSale } from '#tests/support/fixtures'
import {
  defectsOf,
  exposuresOf,
  minutesAfter,
  noonOn,
  refreshLastDays,
} from '#tests/support/register_defects'
import {
  categoriesOf,
  confirmedRegister,
  fileOf,
  lineOf,
  soldOrderOf,
} from '#tests/support/registers'
import { ownerRows } from '#tests/support/rows'
import { moveInTime } from '#tests/support/settlement'
import { test } from '@japa/runner'

test.group('Identifiers of one payment', () => {
  test('a payment id without its leading zeros is the same payment', async ({ assert }) => {
    const sale = await aSale()
    const orderId = await soldOrderOf(sale, ['seat-2-1'])
    const sold = await lineOf(orderId)
    for (const payment of ['000123456789', '123456789'])
      await confirmedRegister(sale.partner, fileOf(sold, await lineOf(orderId, { payment })))
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), ['12000 BUYER'])
  })

  test('a payment id after an apostrophe is the same payment', async ({ assert }) => {
    const sale = await aSale()
    const sold = await lineOf(await soldOrderOf(sale, ['seat-2-1']))
    await confirmedRegister(sale.partner, fileOf(sold, `o-1;000123456789;${noonOn(0)};7000;Оплата`))
    await confirmedRegister(sale.partner, fileOf(sold, `;'000123456789;${noonOn(0)};7000;Оплата`))
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), ['7000 BUYER'])
  })

  test('an order number without its leading zeros is the same order', async ({ assert }) => {
    const sale = await aSale()
    const sold = await lineOf(await soldOrderOf(sale, ['seat-2-1']))
    for (const name of ['00012345', '12345'])
      await confirmedRegister(sale.partner, fileOf(sold, `${name};pay-9;${noonOn(0)};7000;Оплата`))
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), ['7000 BUYER'])
  })

  test('an order number in another letter case is the same order', async ({ assert }) => {
    const sale = await aSale()
    const sold = await lineOf(await soldOrderOf(sale, ['seat-2-1']))
    await confirmedRegister(sale.partner, fileOf(sold, `o-1;pay-9;${noonOn(0)};7000;Оплата`))
    await confirmedRegister(sale.partner, fileOf(sold, `O-1;pay-9;${noonOn(0)};-7000;Возврат`))
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), [])
  })

  test('one payment id with the shop’s and the acquirer’s order numbers is one payment', async ({
    assert,
  }) => {
    const sale = await aSale()
    const sold = await lineOf(await soldOrderOf(sale, ['seat-2-1']))
    for (const name of ['o-1', 'merchant-77'])
      await confirmedRegister(sale.partner, fileOf(sold, `${name};rrn-9;${noonOn(0)};7000;Оплата`))
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), ['7000 BUYER'])
  })

  test('the acquirer’s order number for a paid order adds no charge', async ({ assert }) => {
    const sale = await aSale()
    const orderId = await soldOrderOf(sale, ['seat-2-1'])
    const shop = await lineOf(orderId, { payment: 'rrn-9' })
    const other = await soldOrderOf(sale, ['seat-2-2'])
    await confirmedRegister(sale.partner, fileOf(shop, await lineOf(other)))
    const acquirer = await lineOf(orderId, { key: 'merchant-77', payment: 'rrn-9' })
    await confirmedRegister(sale.partner, fileOf(await lineOf(other), acquirer))
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), [])
  })

  test('a sale outside the register’s days adds no charge where another register has its payment id alone', async ({
    assert,
  }) => {
    const sale = await aSale()
    const orderId = await soldOrderOf(sale, ['seat-2-1'])
    await moveInTime(sale.partner, '-2 days')
    const other = await lineOf(await soldOrderOf(sale, ['seat-2-2']))
    const rrn = `rrn-${sale.partner.code}`
    const named = await confirmedRegister(
      sale.partner,
      fileOf(other, await lineOf(orderId, { payment: rrn }))
    )
    assert.include(await categoriesOf(named), 'OUT_OF_SCOPE')
    const alone = await lineOf(orderId, { payment: rrn, key: '' })
    await confirmedRegister(sale.partner, fileOf(other, alone))
    await refreshLastDays(sale.partner, 5)
    assert.deepEqual(await exposuresOf(sale.partner), [])
  })

  test('of a payment id without an order number only the amount above its sale is at risk', async ({
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
    await confirmedRegister(sale.partner, fileOf(other, more))
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), ['1000 BUYER'])
  })

  test('of a payment id without an order number only the amount above the sale’s rows by ticket is at risk', async ({
    assert,
  }) => {
    const sale = await aSale()
    const orderId = await soldOrderOf(sale, ['seat-2-1', 'seat-2-3'])
    const other = await lineOf(await soldOrderOf(sale, ['seat-2-2']))
    const rrn = `rrn-${sale.partner.code}`
    const half = (minutes: number) =>
      lineOf(orderId, { payment: rrn, tenge: '12000', at: minutesAfter(noonOn(0), minutes) })
    const sales = fileOf(other, await half(1), await half(2))
    await confirmedRegister(sale.partner, sales, { setup: { rowIs: 'ticket' } })
    const more = await lineOf(orderId, { payment: rrn, key: '', tenge: '25000' })
    await confirmedRegister(sale.partner, fileOf(other, more))
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), ['1000 BUYER'])
  })

  test('a partner’s known fee is no money at risk where a payment id stands alone', async ({
    assert,
  }) => {
    const sale = await aSale()
    await ownerRows(
      `INSERT INTO register_sources (partner_id, name, fee_rules, created_by)
       SELECT ?, name, ?::jsonb, 'tests' FROM unnest(ARRAY['Магазин', 'Эквайер']) AS name RETURNING id`,
      sale.partner.id,
      JSON.stringify([{ kind: 'percent', basisPoints: 500, rows: 20 }])
    )
    const orderId = await soldOrderOf(sale, ['seat-2-1'])
    const rrn = `rrn-${sale.partner.code}`
    const withFee = { payment: rrn, tenge: '12600' }
    const shop = await confirmedRegister(sale.partner, fileOf(await lineOf(orderId, withFee)), {
      sourceName: 'Магазин',
    })
    assert.deepEqual(await categoriesOf(shop), ['FEE_INCLUDED'])
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), [])
    const acquirer = fileOf(await lineOf(orderId, { ...withFee, key: '' }))
    await confirmedRegister(sale.partner, acquirer, { sourceName: 'Эквайер' })
    await refreshDefects(sale.partner)
    const found = await defectsOf(sale.partner)
    assert.notInclude(found.join(), 'MISSING_AT_PLATFORM')
  })
})
