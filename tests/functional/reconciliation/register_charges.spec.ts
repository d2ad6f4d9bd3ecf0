import ChangeCase from '#defects/cases/change_case'
import DropRegister from '#reconciliation/actions/drop_register'
import RefreshDefects from '#defects/cases/refresh_defects'
import { refreshDefects } from '#tests/support/cases'
import { lapseOrder } from '#tests/support/circumstances'
import { aSale, paymentOf, TESTER } from '#tests/support/fixtures'
import { confirm, refund } from '#tests/support/operations'
import {
  daysAgo,
  exposuresOf,
  defectsOf,
  refreshLastDays,
  expiredOrderOf,
  minutesAfter,
  noonOn,
  pendingOrderOf,
} from '#tests/support/register_defects'
import {
  ASKER,
  confirmedRegister,
  confirmRegister,
  decideMatches,
  fileOf,
  partnerFieldsOf,
  lineOf,
  matchedRegister,
  soldOrderOf,
  ticketsOf,
  versionOf,
} from '#tests/support/registers'
import { rows } from '#tests/support/rows'
import { moveInTime } from '#tests/support/settlement'
import { test } from '@japa/runner'

test.group('Charges that only registers know of', () => {
  test('an unpaid order charged twice, both ticket by ticket', async ({ assert }) => {
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
    await confirmedRegister(sale.partner, fileOf(sold, ...lines))
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), ['48000 BUYER'])
  })

  test('two charges without ids of an unpaid order, a confirm told of one', async ({ assert }) => {
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

  test('a void without a refund in two registers of the same days, with payments and without', async ({
    assert,
  }) => {
    const sale = await aSale()
    const orderId = await soldOrderOf(sale, ['seat-2-1', 'seat-2-2', 'seat-2-3'])
    const [first, second] = await ticketsOf(orderId)
    await refund(sale.client, orderId, [first])
    await moveInTime(sale.partner, '-10 days')
    await refund(sale.client, orderId, [second])
    await confirmedRegister(sale.partner, fileOf(await lineOf(orderId)), daysAgo(12, 8))
    await refreshLastDays(sale.partner, 20)
    assert.deepEqual(await defectsOf(sale.partner), [`VOID_WITHOUT_REFUND ${orderId} 12000 BUYER`])
    await confirmedRegister(
      sale.partner,
      fileOf(await lineOf(orderId, { payment: '' })),
      daysAgo(12, 8)
    )
    await refreshLastDays(sale.partner, 20)
    assert.deepEqual(await defectsOf(sale.partner), [`VOID_WITHOUT_REFUND ${orderId} 12000 BUYER`])
  })

  test('a row without any id in a file that was sent again', async ({ assert }) => {
    const sale = await aSale()
    const orderId = await soldOrderOf(sale, ['seat-2-1'])
    const header = 'Номер заказа;ID платежа;Дата оплаты;Сумма;Тип операции;Email'
    const file = [header, `${await lineOf(orderId)};a@b.kz`, `;;${noonOn(0)};7000;Оплата;c@d.kz`]
    await confirmedRegister(sale.partner, file.join('\r\n'))
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), ['7000 BUYER'])
    await confirmedRegister(sale.partner, file.join('\n'))
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), ['7000 BUYER'])
  })

  test('a confirm of today for money of a register of before', async ({ assert }) => {
    const sale = await aSale()
    const sold = await lineOf(await soldOrderOf(sale, ['seat-2-1']))
    const name = `TIX-${sale.partner.code}`
    const file = fileOf(sold, `${name};pay-1;${noonOn(-10)};7000;Оплата`)
    await confirmedRegister(sale.partner, file, daysAgo(12, -1))
    const payment = paymentOf(5_000)
    await confirm(sale.client, name, payment)
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), ['12000 BUYER'])
    // The month before is checked by somebody.
    await new RefreshDefects().handle({ partnerId: sale.partner.id, ...daysAgo(12, 8) })
    assert.deepEqual(await exposuresOf(sale.partner), ['12000 BUYER'])
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), ['12000 BUYER'])
  })

  test('a register is taken back of which another has the refund alone', async ({ assert }) => {
    const sale = await aSale()
    const sold = await lineOf(await soldOrderOf(sale, ['seat-2-1']))
    const row = (tenge: number, day: number, kind: string) =>
      `o-1;pay-1;${noonOn(day)};${tenge};${kind}`
    const first = await confirmedRegister(
      sale.partner,
      fileOf(row(7_000, -10, 'Оплата')),
      daysAgo(12, 8)
    )
    await confirmedRegister(sale.partner, fileOf(sold, row(-3_000, 0, 'Возврат')))
    await refreshLastDays(sale.partner, 20)
    assert.deepEqual(await exposuresOf(sale.partner), ['4000 BUYER'])
    const version = await versionOf(first)
    await new DropRegister().handle({ registerId: first, version, reason: 'Не тот файл', ...ASKER })
    // The ten-minute search comes before the check that was asked for.
    await refreshDefects(sale.partner)
    await refreshLastDays(sale.partner, 20)
    assert.deepEqual(await exposuresOf(sale.partner), [])
  })

  test('a resent register with one more charge of the day', async ({ assert }) => {
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

  test('a case of registers that was settled is open again by another payment', async ({
    assert,
  }) => {
    const sale = await aSale()
    const sold = await lineOf(await soldOrderOf(sale, ['seat-2-1']))
    const row = (pay: string, tenge: number) =>
      `o-1;${pay};${noonOn(0)};${tenge};${tenge < 0 ? 'Возврат' : 'Оплата'}`
    await confirmedRegister(sale.partner, fileOf(sold, row('pay-1', 7_000)))
    await refreshDefects(sale.partner)
    const [found] = await rows(
      `SELECT id, version, payment_ids AS payments FROM settlement_cases WHERE partner_id = ? AND key = 'o-1'`,
      sale.partner.id
    )
    const change = { state: 'dismissed', reason: 'Проверка партнёра' } as const
    await new ChangeCase().handle({
      caseId: found.id as number,
      version: found.version as number,
      change,
      actor: TESTER,
    })
    await confirmedRegister(sale.partner, fileOf(sold, row('pay-1', -7_000), row('pay-2', 7_000)))
    await refreshDefects(sale.partner)
    const [now] = await rows('SELECT state FROM settlement_cases WHERE id = ?', found.id)
    assert.equal(now.state, 'open')
  })

  test('a strange order’s money of two months stays found, whichever is checked', async ({
    assert,
  }) => {
    const sale = await aSale()
    const row = (pay: string, day: number) => `o-1;${pay};${noonOn(day)};7000;Оплата`
    await confirmedRegister(sale.partner, fileOf(row('pay-1', -20)), daysAgo(25, 15))
    await confirmedRegister(sale.partner, fileOf(row('pay-2', -5)), daysAgo(10, 1))
    const check = (first: number, last: number) =>
      new RefreshDefects().handle({ partnerId: sale.partner.id, ...daysAgo(first, last) })
    for (const [first, last] of [
      [25, 15],
      [10, 1],
      [25, 15],
      [15, 10],
      [1, -1],
    ]) {
      await check(first, last)
      assert.deepEqual(await exposuresOf(sale.partner), ['14000 BUYER'], `${first}`)
    }
  })

  test('a strange order in a file with days and in two weekly ones without payments', async ({
    assert,
  }) => {
    const sale = await aSale()
    const row = (pay: string, day: number) => `o-1;${pay};${noonOn(day)};7000;Оплата`
    await confirmedRegister(sale.partner, fileOf(row('p-1', -12), row('p-2', -5)), daysAgo(20, 0))
    await confirmedRegister(sale.partner, fileOf(row('', -12)), daysAgo(14, 7))
    await confirmedRegister(sale.partner, fileOf(row('', -5)), daysAgo(7, 0))
    await refreshLastDays(sale.partner, 30)
    assert.deepEqual(await exposuresOf(sale.partner), ['14000 BUYER'])
  })

  test('a payment that was confirmed with a wrong sum took what the register shows', async ({
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

  test('a strange order’s confirm told less than its register shows', async ({ assert }) => {
    const sale = await aSale()
    const sold = await lineOf(await soldOrderOf(sale, ['seat-2-4']))
    const name = `TIX-${sale.partner.code}`
    const payment = paymentOf(5_000)
    await confirm(sale.client, name, payment)
    const id = payment.payment_info.external_payment_id
    await confirmedRegister(sale.partner, fileOf(sold, `${name};${id};${noonOn(0)};7000;Оплата`))
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), ['7000 BUYER'])
  })

  test('a void without a refund in two registers that name the payment in other ways', async ({
    assert,
  }) => {
    const sale = await aSale()
    const orderId = await soldOrderOf(sale, ['seat-2-1', 'seat-2-2', 'seat-2-3'])
    const [first, second] = await ticketsOf(orderId)
    await refund(sale.client, orderId, [first])
    await moveInTime(sale.partner, '-10 days')
    await refund(sale.client, orderId, [second])
    for (const payment of ['000123456789', '123456789'])
      await confirmedRegister(
        sale.partner,
        fileOf(await lineOf(orderId, { payment })),
        daysAgo(12, 8)
      )
    await refreshLastDays(sale.partner, 20)
    assert.deepEqual(await defectsOf(sale.partner), [`VOID_WITHOUT_REFUND ${orderId} 12000 BUYER`])
  })

  test('ten thousand charges under one order name', async ({ assert }) => {
    const sale = await aSale()
    const sold = await lineOf(await soldOrderOf(sale, ['seat-2-1']))
    const lines = Array.from(
      { length: 10_000 },
      (_, n) => `Терминал 1;pay-${n};${noonOn(0)};100;Оплата`
    )
    await confirmedRegister(sale.partner, fileOf(sold, ...lines))
    const began = performance.now()
    await refreshDefects(sale.partner)
    const took = performance.now() - began
    assert.deepEqual(await exposuresOf(sale.partner), ['1000000 BUYER'])
    // Less than a second alone, several beside other tests; each with each other would be far more.
    assert.isBelow(took, 10_000)
  }).timeout(200_000)

  test('a second charge that somebody has said is not of the order', async ({ assert }) => {
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

  test('the same of an order of before, when only the last days are searched', async ({
    assert,
  }) => {
    const sale = await aSale()
    const orderId = await soldOrderOf(sale, ['seat-2-1'])
    const { key } = await partnerFieldsOf(orderId)
    const second = await lineOf(orderId, { key: key.toUpperCase(), payment: 'pay-2' })
    await moveInTime(sale.partner, '-3 days')
    const late = second.replace(/;\d\d\.\d\d\.\d{4} [\d:]+;/, `;${noonOn(0)};`)
    const registerId = await matchedRegister(
      sale.partner,
      fileOf(await lineOf(orderId), late),
      daysAgo(5, -1)
    )
    await decideMatches(registerId, { decision: 'rejected' }, 'MISSING_AT_PLATFORM')
    await confirmRegister(registerId)
    await refreshDefects(sale.partner)
    assert.deepEqual(await exposuresOf(sale.partner), ['12000 BUYER'])
    await refreshLastDays(sale.partner, 20)
    assert.deepEqual(await exposuresOf(sale.partner), ['12000 BUYER'])
  })
})
