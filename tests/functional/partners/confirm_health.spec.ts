import { readConfirmHealth } from '#back_office/partners/confirm_health'
import { listPartners, soldToday } from '#back_office/partners/list_partners'
import { dataOf } from '#tests/support/answers'
import { aPartner, aSale, book, order, paymentOf, sell } from '#tests/support/fixtures'
import { ownerRows, PAST_TRIGGERS } from '#tests/support/rows'
import { test } from '@japa/runner'

test.group('Confirm health', () => {
  test('counts the first accepted confirm of each order, confirms near the end and late ones', async ({
    assert,
  }) => {
    const { partner, client, event } = await aSale()
    const took = [10, 20, 280]
    const sold = []
    for (const seat of [1, 2, 3]) sold.push(await sell(client, event.id, [`seat-2-${seat}`]))
    for (const [index, { order_id: id, total_tenge: total }] of sold.entries()) {
      await client.post(`/orders/${id}/confirm`, paymentOf(total))
      await ownerRows(
        `UPDATE orders SET created_at = a.at - make_interval(secs => ?),
                window_ends_at = a.at + make_interval(secs => 300 - ?)
           FROM (SELECT min(received_at) AS at FROM confirm_attempts WHERE order_id_sent = ?) a WHERE id = ? RETURNING 1`,
        took[index],
        took[index],
        id,
        id
      )
    }
    const booking = dataOf(await book(client, event.id, ['seat-2-4']))
    const late = dataOf(await order(client, booking.booking_id))
    await ownerRows(
      'UPDATE orders SET window_ends_at = now() WHERE id = ? RETURNING id',
      late.order_id
    )
    await client.post(`/orders/${late.order_id}/confirm`, paymentOf(late.total_tenge))
    await client.post('/orders/TIX-2020-999999/confirm', paymentOf(1))

    const health = await readConfirmHealth(partner.id)
    assert.equal(health.accepted, 3)
    assert.approximately(health.half!, 20, 0.1)
    assert.approximately(health.most!, 254, 1)
    assert.deepEqual([health.near, health.late], [1, 1])
    assert.isBelow(Math.abs(health.clockOffset!), 5)
    assert.deepEqual(
      health.refused.map(({ code, orderId, isKnown }) => [code, orderId, isKnown]),
      [
        ['ORDER_NOT_FOUND', 'TIX-2020-999999', false],
        ['ORDER_EXPIRED', late.order_id, true],
      ]
    )
  })

  test('reports a fast clock in seconds', async ({ assert }) => {
    const { partner, client, event } = await aSale()
    for (const seat of [1, 2, 3]) await sell(client, event.id, [`seat-3-${seat}`])
    await ownerRows(
      `${PAST_TRIGGERS} UPDATE confirm_attempts SET timestamp_sent = (timestamp_sent::bigint + 120)::text FROM free WHERE partner_id = ? RETURNING id`,
      partner.id
    )
    const { clockOffset } = await readConfirmHealth(partner.id)
    assert.approximately(clockOffset!, 120, 5)
  })

  test('the list shows today’s sales and partners that do not read the feed', async ({
    assert,
  }) => {
    const { partner, client, event } = await aSale()
    const sold = await sell(client, event.id, ['seat-2-9', 'seat-2-10'])
    const silent = await aPartner()
    const today = await soldToday()
    assert.deepEqual(today[partner.code], {
      code: partner.code,
      orders: 1,
      paidTenge: sold.total_tenge,
    })
    const { rows: found } = await listPartners({ q: silent.code.toUpperCase(), status: 'active' })
    assert.deepEqual(
      found.map(({ code, isSilent, polledAt, webhook }) => [code, isSilent, polledAt, webhook]),
      [[silent.code, true, null, null]]
    )
    const { rows: none } = await listPartners({ q: silent.code, status: 'suspended' })
    assert.isEmpty(none)
  })
})
