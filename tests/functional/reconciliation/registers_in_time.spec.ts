import ChangeCase from '#defects/cases/change_case'
import { lapseOrder } from '#tests/support/circumstances'
import { dataOf } from '#tests/support/answers'
import { aSale, book, order, TESTER, paymentOf } from '#tests/support/fixtures'
import { confirm, refund } from '#tests/support/operations'
import { refreshDefects } from '#tests/support/cases'
import {
  caseExposureOf,
  daysAgo,
  defectsOf,
  refreshLastDays,
} from '#tests/support/register_defects'
import {
  confirmedRegister,
  confirmRegister,
  fileOf,
  lineOf,
  matchedRegister,
  soldOrderOf,
  ticketsOf,
  matchesOf,
} from '#tests/support/registers'
import { one } from '#tests/support/rows'
import { moveInTime } from '#tests/support/settlement'
import { test } from '@japa/runner'

test.group('Registers and what happens after them', () => {
  test('tickets of an earlier sale that were lost in its days: the register has to show the refund', async ({
    assert,
  }) => {
    const sale = await aSale()
    const orderId = await soldOrderOf(sale, ['seat-2-1'])
    await moveInTime(sale.partner, '-20 days')
    await confirmedRegister(sale.partner, fileOf(await lineOf(orderId)), daysAgo(25, 15))
    await refund(sale.client, orderId, await ticketsOf(orderId))
    const other = await soldOrderOf(sale, ['seat-2-2'])
    await moveInTime(sale.partner, '-3 days')
    const sold = await lineOf(other)
    const silent = await matchedRegister(sale.partner, fileOf(sold), daysAgo(10, 0))
    assert.deepEqual(await matchesOf(silent), [
      `MATCHED EXACT [2] ${other}`,
      `REFUND_DIFF NONE [] ${orderId}`,
    ])
    await confirmRegister(silent)
    await refreshLastDays(sale.partner, 40)
    assert.deepEqual(await defectsOf(sale.partner), [`VOID_WITHOUT_REFUND ${orderId} 12000 BUYER`])
    assert.deepEqual(await caseExposureOf(orderId), { tenge: 12_000, party: 'BUYER' })

    const back = await lineOf(orderId, { tenge: '-12000' })
    const shown = await matchedRegister(sale.partner, fileOf(sold, back), daysAgo(10, 0))
    const { ours } = await one(
      `SELECT total_tenge::int - refunded_tenge::int AS ours FROM partner_register_cases
        WHERE register_id = ? AND refunds_tenge > 0`,
      shown
    )
    assert.equal(ours, -12_000)
    await confirmRegister(shown)
    await refreshLastDays(sale.partner, 40)
    assert.deepEqual(await defectsOf(sale.partner), [])
  })

  test('a refund that was declined is none, with a minus as well', async ({ assert }) => {
    const sale = await aSale()
    const orderId = await soldOrderOf(sale, ['seat-2-1'])
    await refund(sale.client, orderId, await ticketsOf(orderId))
    const back = await lineOf(orderId, { tenge: '-12000' })
    const declined = back.replace('Возврат', 'Возврат отклонён')
    const registerId = await matchedRegister(sale.partner, fileOf(await lineOf(orderId), declined))
    assert.deepEqual(await matchesOf(registerId), [
      `REFUND_DIFF EXACT [2] ${orderId}`,
      'OUT_OF_SCOPE NONE [3]',
    ])
    await confirmRegister(registerId)
    await refreshDefects(sale.partner)
    assert.deepEqual(await defectsOf(sale.partner), [`VOID_WITHOUT_REFUND ${orderId} 12000 BUYER`])
  })

  test('money of an order that waited for its payment counts once nothing came of it', async ({
    assert,
  }) => {
    const sale = await aSale()
    const orders: string[] = []
    for (const seat of ['seat-2-1', 'seat-2-2']) {
      const { booking_id: bookingId } = dataOf(await book(sale.client, sale.event.id, [seat]))
      const { order_id: orderId } = dataOf(await order(sale.client, bookingId))
      orders.push(orderId)
    }
    const [left, paid] = orders
    const lines = [
      await lineOf(left, { payment: 'rrn-1' }),
      await lineOf(paid, { payment: 'rrn-2' }),
    ]
    await confirmedRegister(sale.partner, fileOf(...lines))
    await refreshDefects(sale.partner)
    assert.deepEqual(await defectsOf(sale.partner), [])
    await confirm(sale.client, paid, paymentOf(12_000))
    await lapseOrder(left)
    await refreshDefects(sale.partner)
    assert.deepEqual(await defectsOf(sale.partner), [`MISSING_AT_PLATFORM ${left} 12000 BUYER`])
    assert.deepEqual(await caseExposureOf(left), { tenge: 12_000, party: 'BUYER' })
  })

  test('a case that was settled opens again when the same sum is somebody else’s', async ({
    assert,
  }) => {
    const sale = await aSale()
    const orderId = await soldOrderOf(sale, ['seat-2-1'])
    await refund(sale.client, orderId, await ticketsOf(orderId))
    const sold = await lineOf(orderId)
    await confirmedRegister(sale.partner, fileOf(sold))
    await refreshDefects(sale.partner)
    assert.deepEqual(await caseExposureOf(orderId), { tenge: 12_000, party: 'BUYER' })
    const read = () => one('SELECT id, state, version FROM settlement_cases WHERE key = ?', orderId)
    const { id: caseId, version } = await read()
    const change = { state: 'resolved', reason: 'Вернули' } as const
    await new ChangeCase().handle({ caseId, version, change, actor: TESTER })
    await refreshDefects(sale.partner)
    const { state } = await read()
    assert.equal(state, 'resolved')
    const back = await lineOf(orderId, { tenge: '-24000' })
    await confirmedRegister(sale.partner, fileOf(sold, back))
    await refreshDefects(sale.partner)
    assert.deepEqual(await caseExposureOf(orderId), { tenge: 12_000, party: 'PLATFORM' })
    const { state: again } = await read()
    assert.equal(again, 'open')
  })
})
