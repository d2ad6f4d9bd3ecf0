import { refresh } from '#tests/support/cases'
import { aSale } from '#tests/support/fixtures'
import { exposuresOf, foundOf, onDay } from '#tests/support/register_defects'
import {
  categoriesOf,
  confirmed,
  confirmRegister,
  decide,
  fileOf,
  knownOf,
  lineOf,
  matched,
  soldOf,
} from '#tests/support/registers'
import { test } from '@japa/runner'

test.group('What is evidence in registers, and of what', () => {
  test('a row that is there twice counts once', async ({ assert }) => {
    const sale = await aSale()
    const sold = await lineOf(await soldOf(sale, ['seat-2-1']))
    const row = (tenge: number, kind: string) =>
      `o-${sale.partner.code};pay-9;${onDay(0)};${tenge};${kind}`
    const back = row(-3_000, 'Возврат')
    const registerId = await confirmed(sale.partner, fileOf(sold, row(7_000, 'Оплата'), back, back))
    assert.include(await categoriesOf(registerId), 'DUP_IN_FILE')
    await refresh(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), ['4000 BUYER'])
  })

  test('a declined refund of money for an order that we never had is none', async ({ assert }) => {
    const sale = await aSale()
    const sold = await lineOf(await soldOf(sale, ['seat-2-1']))
    const row = (tenge: number, kind: string) =>
      `o-${sale.partner.code};pay-9;${onDay(0)};${tenge};${kind}`
    const file = fileOf(sold, row(7_000, 'Оплата'), row(-7_000, 'Возврат отклонён'))
    await confirmed(sale.partner, file)
    await refresh(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), ['7000 BUYER'])
  })

  test('a rejected match of a declined payment is no money', async ({ assert }) => {
    const sale = await aSale()
    const orderId = await soldOf(sale, ['seat-2-1'])
    const { key } = await knownOf(orderId)
    const line = await lineOf(orderId, { key: key.toUpperCase(), payment: '' })
    const registerId = await matched(sale.partner, fileOf(line.replace('Оплата', 'Отклонено')))
    await decide(registerId, { decision: 'rejected' })
    await confirmRegister(registerId)
    await refresh(sale.partner)
    assert.deepEqual(await foundOf(sale.partner), [`MISSING_AT_PARTNER ${orderId} 12000 PLATFORM`])
  })

  test('an order that another register calls declined stays missing', async ({ assert }) => {
    const sale = await aSale()
    const here = await lineOf(await soldOf(sale, ['seat-2-1']))
    const lacking = await soldOf(sale, ['seat-2-2'])
    const line = await lineOf(lacking)
    const declined = line.replace('Оплата', 'Отклонено')
    await confirmed(sale.partner, fileOf(here))
    await confirmed(sale.partner, fileOf(here, declined))
    await refresh(sale.partner)
    assert.deepEqual(await foundOf(sale.partner), [`MISSING_AT_PARTNER ${lacking} 12000 PLATFORM`])
  })
})
