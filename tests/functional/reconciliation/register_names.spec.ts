import DropRegister from '#reconciliation/actions/drop_register'
import RefreshDefects from '#defects/cases/refresh_defects'
import { refreshDefects } from '#tests/support/cases'
import { aSale } from '#tests/support/fixtures'
import { refund } from '#tests/support/operations'
import {
  daysAgo,
  exposuresOf,
  defectsOf,
  refreshLastDays,
  minutesAfter,
  noonOn,
} from '#tests/support/register_defects'
import {
  ASKER,
  categoriesOf,
  confirmedRegister,
  fileOf,
  lineOf,
  soldOrderOf,
  ticketsOf,
  versionOf,
} from '#tests/support/registers'
import { rows } from '#tests/support/rows'
import { moveInTime } from '#tests/support/settlement'
import { test } from '@japa/runner'

test.group('Payments that registers name in several ways', () => {
  test('a partner’s known fee is no money without a ticket', async ({ assert }) => {
    const sale = await aSale()
    await rows(
      `INSERT INTO partner_register_habits (partner_id, fee_rules) VALUES (?, ?::jsonb) RETURNING partner_id`,
      sale.partner.id,
      JSON.stringify([{ kind: 'percent', basisPoints: 500, rows: 20 }])
    )
    const orderId = await soldOrderOf(sale, ['seat-2-1'])
    const rrn = `rrn-${sale.partner.code}`
    const withFee = { payment: rrn, tenge: '12600' }
    const shop = await confirmedRegister(sale.partner, fileOf(await lineOf(orderId, withFee)))
    assert.deepEqual(await categoriesOf(shop), ['FEE_INCLUDED'])
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), [])
    const acquirer = fileOf(await lineOf(orderId, { ...withFee, key: '' }))
    await confirmedRegister(sale.partner, acquirer)
    await refreshDefects(sale.partner)
    const found = await defectsOf(sale.partner)
    assert.notInclude(found.join(), 'MISSING_AT_PLATFORM')
  })

  test('a sale ticket by ticket, and more by its payment alone', async ({ assert }) => {
    const sale = await aSale()
    const orderId = await soldOrderOf(sale, ['seat-2-1', 'seat-2-3'])
    const other = await lineOf(await soldOrderOf(sale, ['seat-2-2']))
    const rrn = `rrn-${sale.partner.code}`
    const half = (minutes: number) =>
      lineOf(orderId, { payment: rrn, tenge: '12000', at: minutesAfter(noonOn(0), minutes) })
    await confirmedRegister(sale.partner, fileOf(other, await half(1), await half(2)))
    const more = await lineOf(orderId, { payment: rrn, key: '', tenge: '25000' })
    await confirmedRegister(sale.partner, fileOf(other, more, await lineOf(orderId)))
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), ['1000 BUYER'])
  })

  test('a cart, ticket by ticket, that went back whole by its payment alone', async ({
    assert,
  }) => {
    const sale = await aSale()
    const orderId = await soldOrderOf(sale, ['seat-2-1', 'seat-2-3'])
    const other = await lineOf(await soldOrderOf(sale, ['seat-2-2']))
    const rrn = `rrn-${sale.partner.code}`
    const half = (minutes: number) =>
      lineOf(orderId, { payment: rrn, tenge: '12000', at: minutesAfter(noonOn(0), minutes) })
    const stranger = `o-2;${rrn};${noonOn(0)};7000;Оплата`
    await refund(sale.client, orderId, await ticketsOf(orderId))
    await confirmedRegister(sale.partner, fileOf(other, await half(1), await half(2), stranger))
    const back = `;${rrn};${noonOn(0)};-31000;Возврат`
    await confirmedRegister(sale.partner, fileOf(other, await lineOf(orderId), back))
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), [])
  })

  test('one payment, with an apostrophe where it stands alone', async ({ assert }) => {
    const sale = await aSale()
    const sold = await lineOf(await soldOrderOf(sale, ['seat-2-1']))
    await confirmedRegister(sale.partner, fileOf(sold, `o-1;000123456789;${noonOn(0)};7000;Оплата`))
    await confirmedRegister(sale.partner, fileOf(sold, `;'000123456789;${noonOn(0)};7000;Оплата`))
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), ['7000 BUYER'])
  })

  test('an unknown order whose number a spreadsheet took the zeros of', async ({ assert }) => {
    const sale = await aSale()
    const sold = await lineOf(await soldOrderOf(sale, ['seat-2-1']))
    for (const name of ['00012345', '12345'])
      await confirmedRegister(sale.partner, fileOf(sold, `${name};pay-9;${noonOn(0)};7000;Оплата`))
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), ['7000 BUYER'])
  })

  test('one payment under the shop’s order number and under the acquirer’s', async ({ assert }) => {
    const sale = await aSale()
    const sold = await lineOf(await soldOrderOf(sale, ['seat-2-1']))
    for (const name of ['o-1', 'merchant-77'])
      await confirmedRegister(sale.partner, fileOf(sold, `${name};rrn-9;${noonOn(0)};7000;Оплата`))
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), ['7000 BUYER'])
  })

  test('a paid order’s payment under the acquirer’s own order number', async ({ assert }) => {
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

  test('a sale of the edge that another register has by its payment alone', async ({ assert }) => {
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

  test('the order that a register calls by another case of letters', async ({ assert }) => {
    const sale = await aSale()
    const sold = await lineOf(await soldOrderOf(sale, ['seat-2-1']))
    await confirmedRegister(sale.partner, fileOf(sold, `o-1;pay-9;${noonOn(0)};7000;Оплата`))
    await confirmedRegister(sale.partner, fileOf(sold, `O-1;pay-9;${noonOn(0)};-7000;Возврат`))
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), [])
  })

  for (const isFirst of [false, true])
    test(`a cart of an order and of one that we never had, which goes back by the payment alone: ${isFirst ? 'our order first' : 'the other first'}`, async ({
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

  test('two partners’ registers name the same strange order and payment', async ({ assert }) => {
    const [one, other] = [await aSale(), await aSale()]
    for (const sale of [one, other]) {
      const sold = await lineOf(await soldOrderOf(sale, ['seat-2-1']))
      await confirmedRegister(
        sale.partner,
        fileOf(sold, `o-same;pay-same;${noonOn(0)};7000;Оплата`)
      )
      await confirmedRegister(sale.partner, fileOf(sold, `;pay-same;${noonOn(0)};7000;Оплата`))
    }
    for (const { partner } of [one, other]) {
      await refreshDefects(partner)
      assert.deepEqual(await exposuresOf(partner), ['7000 BUYER'])
    }
  })

  test('a register names an order of another partner', async ({ assert }) => {
    const [one, other] = [await aSale(), await aSale()]
    const theirs = await soldOrderOf(other, ['seat-2-3'])
    const sold = await lineOf(await soldOrderOf(one, ['seat-2-1']))
    const file = fileOf(sold, `${theirs};pay-1;${noonOn(-10)};7000;Оплата`)
    await confirmedRegister(one.partner, file, daysAgo(12, -1))
    await refreshLastDays(one.partner, 20)
    await refreshDefects(one.partner)
    await refreshDefects(other.partner)
    assert.deepEqual(await exposuresOf(one.partner), ['7000 BUYER'])
    assert.deepEqual(await exposuresOf(other.partner), [])
  })

  test('a payment that a register named, which is taken back, is found under its own name again', async ({
    assert,
  }) => {
    const sale = await aSale()
    const pay = `pay-${sale.partner.code}`
    const check = (first: number, last: number) =>
      new RefreshDefects().handle({ partnerId: sale.partner.id, ...daysAgo(first, last) })
    // The month's file has no days.
    const monthly = ['Номер заказа;ID платежа;Сумма;Тип операции', `;${pay};7000;Оплата`]
    await confirmedRegister(sale.partner, monthly.join('\r\n'), daysAgo(30, 1))
    await check(30, 1)
    assert.deepEqual(await exposuresOf(sale.partner), ['7000 BUYER'])
    const weekly = fileOf(`o-1;${pay};${noonOn(-10)};7000;Оплата`)
    const registerId = await confirmedRegister(sale.partner, weekly, daysAgo(12, 8))
    await check(12, 8)
    assert.deepEqual(await exposuresOf(sale.partner), ['7000 BUYER'])
    const version = await versionOf(registerId)
    await new DropRegister().handle({ registerId, version, reason: 'Не тот файл', ...ASKER })
    const [asked] = await rows(
      `SELECT params FROM settlement_runs WHERE partner_id = ? AND kind = 'check_period' ORDER BY id DESC LIMIT 1`,
      sale.partner.id
    )
    const { from, to } = asked.params as { from: string; to: string }
    await new RefreshDefects().handle({
      partnerId: sale.partner.id,
      from: new Date(from),
      to: new Date(to),
    })
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), ['7000 BUYER'])
  })
})
