import { readCase } from '#finance/cases/read_case'
import CheckPeriod from '#defects/cases/check_period'
import { exposureOf } from '#defects/cases/open_exposure'
import { dataOf } from '#tests/support/answers'
import { lapseOrder } from '#tests/support/circumstances'
import {
  aSale,
  book,
  order,
  paymentOf,
  sell,
  uniqueKey,
  type TestPartner,
} from '#tests/support/fixtures'
import { issueFor } from '#tests/support/mails'
import { confirm, refund } from '#tests/support/operations'
import { withoutZeros } from '#tests/support/register_defects'
import { ownerRows, PAST_TRIGGERS, rows } from '#tests/support/rows'
import { moveInTime, setTerms } from '#tests/support/settlement'
import type { PartnerClient } from '#tests/support/partner_client'
import { test } from '@japa/runner'

const DAY_MS = 86_400_000

async function defectsOf({ id }: TestPartner) {
  const to = new Date(Date.now() + DAY_MS)
  await new CheckPeriod().handle({ partnerId: id, from: new Date(Date.now() - DAY_MS), to })
  const found = await rows(
    `SELECT c.key, ${exposureOf('c')} AS exposure, c.chain,
            (SELECT json_agg(concat_ws(' ', d.code, d.subclass, CASE WHEN d.is_recovered THEN 'RECOVERED' END) ORDER BY d.code) FROM settlement_defects d
              WHERE d.case_id = c.id AND d.gone_at IS NULL) AS defects
       FROM settlement_cases c WHERE c.partner_id = ? AND c.gone_at IS NULL ORDER BY c.key`,
    id
  )
  return found.map(({ exposure, key, chain, defects }) => ({
    key,
    chain,
    defects,
    exposure: withoutZeros(exposure),
  }))
}

async function placeOrder(client: PartnerClient, eventId: string, seat: string) {
  const booking = dataOf(await book(client, eventId, [seat]))
  return dataOf(await order(client, booking.booking_id))
}

test.group('Defects of payments and confirms', () => {
  test('sales in good order leave no case', async ({ assert }) => {
    const { client, event, partner } = await aSale()
    await sell(client, event.id, ['seat-2-1'])
    assert.deepEqual(await defectsOf(partner), [])
  })

  test('one payment on four orders is one case: all beyond one charge is ours', async ({
    assert,
  }) => {
    const { client, event, partner } = await aSale()
    const payment = { external_payment_id: uniqueKey('pay') }
    for (const seat of ['seat-2-1', 'seat-2-2', 'seat-2-3', 'seat-2-4']) {
      const { order_id: orderId } = await placeOrder(client, event.id, seat)
      await confirm(client, orderId, paymentOf(12_000, payment))
    }
    const [found, ...others] = await defectsOf(partner)
    assert.isEmpty(others)
    assert.deepEqual(found.defects, ['DUP_EXTERNAL_PAYMENT_ID ESTIMATE'])
    assert.deepEqual(found.exposure, { platform: 36_000 })
  })

  test('one payment id on more orders than it can pay is one case: it is not unique', async ({
    assert,
  }) => {
    const { client, event, partner } = await aSale()
    const payment = { external_payment_id: uniqueKey('pay') }
    for (let seat = 1; seat <= 21; seat++) {
      const place = `seat-${1 + Math.ceil(seat / 10)}-${((seat - 1) % 10) + 1}`
      const placed = await placeOrder(client, event.id, place)
      await confirm(client, placed.order_id, paymentOf(placed.total_tenge, payment))
    }
    const [found, ...others] = await defectsOf(partner)
    assert.isEmpty(others)
    assert.deepEqual(found.defects, ['EXTERNAL_ID_PLACEHOLDER NOT_UNIQUE'])
    assert.deepEqual(found.exposure, {})
  })

  test('a dummy text as payment id joins no orders', async ({ assert }) => {
    const { client, event, partner } = await aSale()
    for (const seat of ['seat-2-1', 'seat-2-2']) {
      const { order_id: orderId } = await placeOrder(client, event.id, seat)
      await confirm(client, orderId, paymentOf(12_000, { external_payment_id: 'test' }))
    }
    const found = await defectsOf(partner)
    assert.lengthOf(found, 2)
    for (const { defects, exposure } of found) {
      assert.deepEqual(defects, ['EXTERNAL_ID_PLACEHOLDER'])
      assert.deepEqual(exposure, {})
    }
  })

  test('a refund of an order settled in a closed month is a defect', async ({ assert }) => {
    const { client, event, partner } = await aSale()
    const sold = await sell(client, event.id, ['seat-2-1', 'seat-2-2'])
    await setTerms(partner)
    await moveInTime(partner, '-45 days')
    await issueFor(partner)
    await refund(client, sold.order_id, [sold.tickets[0].ticket_id])
    const from = new Date(Date.now() - 60 * DAY_MS)
    await new CheckPeriod().handle({ partnerId: partner.id, from, to: new Date() })
    const found = await defectsOf(partner)
    assert.deepEqual(
      found.map(({ key, exposure, defects }) => [key, exposure, defects]),
      [[sold.order_id, {}, ['REFUND_AFTER_CLOSE']]]
    )
  })

  test('a payment refused as expired and used for a new order is one case without money at risk', async ({
    assert,
  }) => {
    const { client, event, partner } = await aSale()
    const first = await placeOrder(client, event.id, 'seat-2-1')
    await lapseOrder(first.order_id)
    const payment = paymentOf(first.total_tenge)
    const refused = await confirm(client, first.order_id, payment)
    assert.equal(refused.error!.code, 'ORDER_EXPIRED')
    const [waiting] = await defectsOf(partner)
    assert.deepEqual(waiting.exposure, { buyer: 12_000 })

    const second = await placeOrder(client, event.id, 'seat-2-1')
    await confirm(client, second.order_id, payment)
    const cases = await defectsOf(partner)
    assert.deepEqual(cases, [
      {
        key: first.order_id,
        exposure: {},
        chain: ['CONFIRM_ORDER_EXPIRED', 'PAID_BEFORE_CREATED'],
        defects: [
          'CONFIRM_ORDER_EXPIRED LATE_CHARGE RECOVERED',
          'PAID_BEFORE_CREATED PAYMENT_REUSED',
          'PAYMENT_REUSED',
        ],
      },
    ])
  })

  test('retries, a second payment, an unknown order and a payment for two orders are cases of their own', async ({
    assert,
  }) => {
    const { client, event, partner } = await aSale()
    const late = await placeOrder(client, event.id, 'seat-2-1')
    await lapseOrder(late.order_id)
    for (const payment of [paymentOf(12_000), paymentOf(12_000)])
      for (let times = 0; times < 3; times++) await confirm(client, late.order_id, payment)
    await confirm(client, 'TIX-2026-999999998', paymentOf(7_000))
    const twice = uniqueKey('pay')
    for (const seat of ['seat-2-2', 'seat-2-3']) {
      const placed = await placeOrder(client, event.id, seat)
      await confirm(client, placed.order_id, paymentOf(12_000, { external_payment_id: twice }))
    }
    const cases = await defectsOf(partner)
    assert.sameDeepMembers(
      cases.map(({ exposure, defects }) => [exposure, defects]),
      [
        [{ buyer: 24_000 }, ['CONFIRM_ORDER_EXPIRED LATE_CHARGE', 'MULTI_CHARGE_ONE_ORDER']],
        [{ platform: 12_000 }, ['DUP_EXTERNAL_PAYMENT_ID ESTIMATE']],
        [{ buyer: 7_000 }, ['CONFIRM_UNKNOWN_ORDER']],
      ]
    )
  })

  test('confirms with a wrong signature during the whole window are money that was reported to us', async ({
    assert,
  }) => {
    const { client, event, partner } = await aSale()
    const { order_id: orderId } = await placeOrder(client, event.id, 'seat-2-1')
    const signature = 'a'.repeat(64)
    await client.post(`/orders/${orderId}/confirm`, paymentOf(12_000), { signature })
    await ownerRows(
      `${PAST_TRIGGERS} UPDATE confirm_attempts SET received_at = received_at - interval '1 minute' FROM free WHERE order_id_sent = ?`,
      orderId
    )
    await lapseOrder(orderId)
    const [found] = await defectsOf(partner)
    assert.deepInclude(found, { exposure: { buyer: 12_000 }, chain: ['CONFIRM_THROTTLED'] })
    const [{ id }] = await rows('SELECT id FROM settlement_cases WHERE key = ?', orderId)
    const { trail } = await readCase(id)
    assert.include(JSON.stringify(trail), 'INVALID_SIGNATURE')
  })

  test('a defect that ended is gone and comes back when it returns', async ({ assert }) => {
    const { client, event, partner } = await aSale()
    const placed = await placeOrder(client, event.id, 'seat-2-1')
    const wrong = await confirm(client, placed.order_id, paymentOf(11_000))
    assert.equal(wrong.status, 422)
    await ownerRows(
      `UPDATE orders SET window_ends_at = window_ends_at - interval '1 hour' WHERE id = ?`,
      placed.order_id
    )
    const [left] = await defectsOf(partner)
    assert.deepEqual(left.defects, ['CONFIRM_AMOUNT_MISMATCH UNRESOLVED'])
    await ownerRows(
      `UPDATE orders SET window_ends_at = window_ends_at + interval '1 hour' WHERE id = ?`,
      placed.order_id
    )
    assert.deepEqual(await defectsOf(partner), [])
  })

  test('the same payment id at another partner joins nothing', async ({ assert }) => {
    const [one, other] = [await aSale(), await aSale()]
    const paymentId = uniqueKey('pay')
    for (const { client, event } of [one, other]) {
      const placed = await placeOrder(client, event.id, 'seat-2-1')
      await confirm(client, placed.order_id, paymentOf(12_000, { external_payment_id: paymentId }))
    }
    assert.deepEqual(await defectsOf(one.partner), [])
    assert.deepEqual(await defectsOf(other.partner), [])
  })
})
