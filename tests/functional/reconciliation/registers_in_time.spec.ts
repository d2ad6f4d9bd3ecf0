import ChangeCase from '#defects/cases/change_case'
import { lapseOrder } from '#tests/support/circumstances'
import { dataOf } from '#tests/support/answers'
import { aSale, book, order, TESTER, paymentOf } from '#tests/support/fixtures'
import { confirm, refund } from '#tests/support/operations'
import { refresh } from '#tests/support/cases'
import { caseOf, daysAgo, foundOf, judgeDays } from '#tests/support/register_defects'
import {
  confirmed,
  confirmRegister,
  fileOf,
  lineOf,
  matched,
  soldOf,
  ticketsOf,
  toldOf,
} from '#tests/support/registers'
import { one } from '#tests/support/rows'
import { moveInTime } from '#tests/support/settlement'
import { test } from '@japa/runner'

test.group('Registers and what happens after them', () => {
  test('tickets of an earlier sale that were lost in its days: the register has to show the refund', async ({
    assert,
  }) => {
    const sale = await aSale()
    const orderId = await soldOf(sale, ['seat-2-1'])
    await moveInTime(sale.partner, '-20 days')
    await confirmed(sale.partner, fileOf(await lineOf(orderId)), daysAgo(25, 15))
    await refund(sale.client, orderId, await ticketsOf(orderId))
    const other = await soldOf(sale, ['seat-2-2'])
    await moveInTime(sale.partner, '-3 days')
    const sold = await lineOf(other)
    const silent = await matched(sale.partner, fileOf(sold), daysAgo(10, 0))
    assert.deepEqual(await toldOf(silent), [
      `MATCHED EXACT [2] ${other}`,
      `REFUND_DIFF NONE [] ${orderId}`,
    ])
    await confirmRegister(silent)
    await judgeDays(sale.partner, 40)
    assert.deepEqual(await foundOf(sale.partner), [`VOID_WITHOUT_REFUND ${orderId} 12000 BUYER`])
    assert.deepEqual(await caseOf(orderId), { tenge: 12_000, party: 'BUYER' })

    const back = await lineOf(orderId, { tenge: '-12000' })
    const shown = await matched(sale.partner, fileOf(sold, back), daysAgo(10, 0))
    const { ours } = await one(
      `SELECT total_tenge::int - refunded_tenge::int AS ours FROM partner_register_cases
        WHERE register_id = ? AND refunds_tenge > 0`,
      shown
    )
    assert.equal(ours, -12_000)
    await confirmRegister(shown)
    await judgeDays(sale.partner, 40)
    assert.deepEqual(await foundOf(sale.partner), [])
  })

  test('a refund that was declined is none, with a minus as well', async ({ assert }) => {
    const sale = await aSale()
    const orderId = await soldOf(sale, ['seat-2-1'])
    await refund(sale.client, orderId, await ticketsOf(orderId))
    const back = await lineOf(orderId, { tenge: '-12000' })
    const declined = back.replace('Возврат', 'Возврат отклонён')
    const registerId = await matched(sale.partner, fileOf(await lineOf(orderId), declined))
    assert.deepEqual(await toldOf(registerId), [
      `REFUND_DIFF EXACT [2] ${orderId}`,
      'OUT_OF_SCOPE NONE [3]',
    ])
    await confirmRegister(registerId)
    await refresh(sale.partner)
    assert.deepEqual(await foundOf(sale.partner), [`VOID_WITHOUT_REFUND ${orderId} 12000 BUYER`])
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
    await confirmed(sale.partner, fileOf(...lines))
    await refresh(sale.partner)
    assert.deepEqual(await foundOf(sale.partner), [])
    await confirm(sale.client, paid, paymentOf(12_000))
    await lapseOrder(left)
    await refresh(sale.partner)
    assert.deepEqual(await foundOf(sale.partner), [`MISSING_AT_PLATFORM ${left} 12000 BUYER`])
    assert.deepEqual(await caseOf(left), { tenge: 12_000, party: 'BUYER' })
  })

  test('a case that was settled opens again when the same sum is somebody else’s', async ({
    assert,
  }) => {
    const sale = await aSale()
    const orderId = await soldOf(sale, ['seat-2-1'])
    await refund(sale.client, orderId, await ticketsOf(orderId))
    const sold = await lineOf(orderId)
    await confirmed(sale.partner, fileOf(sold))
    await refresh(sale.partner)
    assert.deepEqual(await caseOf(orderId), { tenge: 12_000, party: 'BUYER' })
    const read = () => one('SELECT id, state, version FROM settlement_cases WHERE key = ?', orderId)
    const { id: caseId, version } = await read()
    const change = { state: 'resolved', reason: 'Вернули' } as const
    await new ChangeCase().handle({ caseId, version, change, actor: TESTER })
    await refresh(sale.partner)
    const { state } = await read()
    assert.equal(state, 'resolved')
    const back = await lineOf(orderId, { tenge: '-24000' })
    await confirmed(sale.partner, fileOf(sold, back))
    await refresh(sale.partner)
    assert.deepEqual(await caseOf(orderId), { tenge: 12_000, party: 'PLATFORM' })
    const { state: again } = await read()
    assert.equal(again, 'open')
  })
})
