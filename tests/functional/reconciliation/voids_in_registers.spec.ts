import { aSale } from '#tests/support/fixtures'
import { refund } from '#tests/support/operations'
import {
  caseExposureOf,
  daysAgo,
  defectsOf,
  noonOn,
  refreshLastDays,
} from '#tests/support/register_defects'
import {
  COVERS_ALL,
  confirmedRegister,
  confirmRegister,
  decideMatches,
  fileOf,
  lineOf,
  matchedRegister,
  matchesOf,
  partnerFieldsOf,
  soldOrderOf,
  ticketsOf,
} from '#tests/support/registers'
import { one } from '#tests/support/rows'
import { moveInTime } from '#tests/support/settlement'
import { test } from '@japa/runner'

test.group('Voids without a refund', () => {
  test('a void is the buyer’s money until a later register shows the refund', async ({
    assert,
  }) => {
    const sale = await aSale()
    const orderId = await soldOrderOf(sale, ['seat-2-1'])
    await refund(sale.client, orderId, await ticketsOf(orderId))
    await moveInTime(sale.partner, '-8 days')
    const sold = await lineOf(orderId)
    await confirmedRegister(sale.partner, fileOf(sold), daysAgo(10, 5))
    await refreshLastDays(sale.partner, 20)
    assert.deepEqual(await defectsOf(sale.partner), [`VOID_WITHOUT_REFUND ${orderId} 12000 BUYER`])
    assert.deepEqual(await caseExposureOf(orderId), { buyer: 12_000 })
    const { at } = await partnerFieldsOf(orderId)
    const returned = await lineOf(orderId, { tenge: '-12000' })
    const back = returned.replace(at, noonOn(-2))
    await confirmedRegister(sale.partner, fileOf(back), daysAgo(5, 0))
    await refreshLastDays(sale.partner, 20)
    assert.deepEqual(await defectsOf(sale.partner), [])
  })

  test('a void of an earlier sale within the register’s days needs its refund there', async ({
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
    const withoutRefund = await matchedRegister(sale.partner, fileOf(sold), daysAgo(10, 0))
    assert.deepEqual(await matchesOf(withoutRefund), [
      `MATCHED EXACT [2] ${other}`,
      `REFUND_DIFF NONE [] ${orderId}`,
    ])
    await confirmRegister(withoutRefund)
    await refreshLastDays(sale.partner, 40)
    assert.deepEqual(await defectsOf(sale.partner), [`VOID_WITHOUT_REFUND ${orderId} 12000 BUYER`])
    assert.deepEqual(await caseExposureOf(orderId), { buyer: 12_000 })

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

  test('voids add up over registers of different days', async ({ assert }) => {
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

  test('a void counts once in two registers of the same days, with and without payment ids', async ({
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

  test('a void counts once in two registers that write the payment id differently', async ({
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

  test('a refund whose match was rejected leaves the void open and the sale in order', async ({
    assert,
  }) => {
    const sale = await aSale()
    const orderId = await soldOrderOf(sale, ['seat-2-1', 'seat-2-2'])
    await moveInTime(sale.partner, '-10 days')
    const [ticket] = await ticketsOf(orderId)
    await refund(sale.client, orderId, [ticket])
    const { key } = await partnerFieldsOf(orderId)
    const alike = { key: key.toUpperCase(), payment: '', tenge: '-12000', at: noonOn(0) }
    const file = fileOf(await lineOf(orderId, alike))
    const registerId = await matchedRegister(sale.partner, file, { setup: COVERS_ALL })
    await decideMatches(registerId, { decision: 'rejected' })
    await confirmRegister(registerId)
    await refreshLastDays(sale.partner, 20)
    assert.deepEqual(await defectsOf(sale.partner), [`VOID_WITHOUT_REFUND ${orderId} 12000 BUYER`])
  })
})
