import { refreshDefects } from '#tests/support/cases'
import { aSale, paymentOf, type TestPartner } from '#tests/support/fixtures'
import { confirm } from '#tests/support/operations'
import { defectsOf, exposuresOf, expiredOrderOf, noonOn } from '#tests/support/register_defects'
import { confirmedRegister, fileOf } from '#tests/support/registers'
import { ownerRows, PAST_TRIGGERS, rows } from '#tests/support/rows'
import { test } from '@japa/runner'

const casesOf = ({ id }: TestPartner) =>
  rows(
    `SELECT key, order_ids AS orders, buyer_tenge::int AS exposure FROM settlement_cases
      WHERE partner_id = ? AND gone_at IS NULL ORDER BY key`,
    id
  )

/**
 * Two expired orders, each with a payment that was also sent for an order that we do not have. A register spells both of these
 * alike, so that they are one order and all of it is one story.
 */
async function twoOrdersJoinedBySpelling({ isFirstReturned = false } = {}) {
  const sale = await aSale()
  const first = await expiredOrderOf(sale, 'seat-2-1')
  const second = await expiredOrderOf(sale, 'seat-2-2')
  const [registered, alike] = [`z-${sale.partner.code}`, `Z-${sale.partner.code}`]
  const [ofFirst, ofSecond] = [paymentOf(12_000), paymentOf(12_000)]
  await confirm(sale.client, first, ofFirst)
  await confirm(sale.client, second, ofSecond)
  await confirm(sale.client, registered, ofSecond)
  await confirm(sale.client, alike, ofFirst)
  const lineOf = ({ payment_info: info }: typeof ofFirst, tenge: string, kind: string) =>
    [registered, info.external_payment_id, noonOn(0), tenge, kind].join(';')
  const charge = lineOf(ofSecond, '12000', 'Оплата')
  const refund = isFirstReturned ? [lineOf(ofFirst, '-12000', 'Возврат')] : []
  await confirmedRegister(sale.partner, fileOf(charge, ...refund))
  const story = [{ key: first, orders: [first, second], exposure: 24_000 }]
  return { ...sale, registered, alike, story }
}

test.group('Stories that a register’s spelling joins', () => {
  test('two orders and their confirms are one case', async ({ assert }) => {
    const { partner, story } = await twoOrdersJoinedBySpelling()
    await refreshDefects(partner)
    assert.deepEqual(await casesOf(partner), story)
  })

  test('also when the confirm that joins them came before the period', async ({ assert }) => {
    const { partner, alike, story } = await twoOrdersJoinedBySpelling()
    await ownerRows(
      `${PAST_TRIGGERS} UPDATE confirm_attempts SET received_at = received_at - interval '4 days' FROM free WHERE order_id_sent = ?`,
      alike
    )
    await refreshDefects(partner)
    assert.deepEqual(await casesOf(partner), story)
  })

  test('a refund of one of both payments leaves the other', async ({ assert }) => {
    const { partner } = await twoOrdersJoinedBySpelling({ isFirstReturned: true })
    await refreshDefects(partner)
    assert.deepEqual(await exposuresOf(partner), ['12000 BUYER'])
    // The confirms tell of all that was charged.
    assert.deepEqual(await defectsOf(partner), [])
  })
})
