import { dataOf } from '#tests/support/answers'
import { cancelEvent, lapseOrder, suspend } from '#tests/support/circumstances'
import { assertInvalid, assertRefused } from '#tests/support/expectations'
import { aPartner, grant, order as place } from '#tests/support/fixtures'
import { aBooking, anOrder, aPaidOrder, cancel, findOrder } from '#tests/support/operations'
import { one, ownerOne } from '#tests/support/rows'
import { test } from '@japa/runner'

test.group('GET /orders?partner_order_id=', () => {
  test('a pending order has the same body as its creation', async ({ assert }) => {
    const { client, order } = await anOrder()
    const { status, data } = await findOrder(client, order.partner_order_id)
    assert.deepEqual([status, data], [200, order])
  })

  test('a paid order has the same tickets and PDF links as the confirm', async ({ assert }) => {
    const { client, order } = await aPaidOrder()
    const { data } = await findOrder(client, order.partner_order_id)
    assert.deepEqual(data, order)
  })

  test('a cancelled order is returned', async ({ assert }) => {
    const { client, order } = await anOrder()
    await cancel(client, order.order_id)
    const { data } = await findOrder(client, order.partner_order_id)
    assert.equal(data.status, 'cancelled')
    assert.notProperty(data, 'tickets')
  })

  test('expiry is read from the clock, before any sweep has stored it', async ({ assert }) => {
    const { client, order } = await anOrder()
    await lapseOrder(order.order_id)
    const { data } = await findOrder(client, order.partner_order_id)
    assert.equal(data.status, 'expired')
    const stored = await one('SELECT stored_status FROM orders WHERE id = ?', order.order_id)
    assert.equal(stored.stored_status, 'pending')
  })

  test('the tickets of a cancelled event are void and have no token', async ({ assert }) => {
    const { client, event, order } = await aPaidOrder()
    await cancelEvent(event)
    const { data } = await findOrder(client, order.partner_order_id)
    assert.equal(data.status, 'paid')
    for (const ticket of data.tickets) {
      assert.deepEqual([ticket.status, ticket.qr_token], ['void', null])
    }
  })

  test('the tickets of a past event are expired', async ({ assert }) => {
    const { client, event, order } = await aPaidOrder()
    await ownerOne(
      `UPDATE events SET starts_at = now() - interval '2 days', ends_at = now() - interval '1 day' WHERE id = ?`,
      event.id
    )
    const { data } = await findOrder(client, order.partner_order_id)
    assert.deepEqual(
      data.tickets.map((ticket: any) => ticket.status),
      ['expired', 'expired']
    )
  })

  test('a suspended partner without a grant finds its order', async ({ assert }) => {
    const { client, event, partner, order } = await aPaidOrder()
    await grant(partner, event, 'revoked')
    await suspend(partner)
    assert.deepEqual(dataOf(await findOrder(client, order.partner_order_id)), order)
  })

  for (const key of ['заказ №1 & co', 'a+b%2F=c', '  ', 'x'.repeat(64), '🎫'.repeat(64)]) {
    test(`a key is matched exactly as sent: ${key.slice(0, 16)}`, async ({ assert }) => {
      const { client, booking } = await aBooking()
      await place(client, booking.booking_id, { partner_order_id: key })
      assert.equal(dataOf(await findOrder(client, key)).partner_order_id, key)
    })
  }

  test('an unknown key is not found', async () => {
    const { client } = await aPartner()
    assertRefused(await findOrder(client, 'unknown'), 'ORDER_NOT_FOUND')
  })

  test("another partner's key is not found", async () => {
    const { order } = await anOrder()
    const { client } = await aPartner()
    assertRefused(await findOrder(client, order.partner_order_id), 'ORDER_NOT_FOUND')
  })

  test('a missing parameter is invalid', async () => {
    const { client } = await aPartner()
    assertInvalid(await client.get('/orders'), 'partner_order_id')
  })

  for (const key of ['', 'x'.repeat(65), '🎫'.repeat(65)]) {
    test(`a parameter of ${[...key].length} characters is invalid`, async () => {
      const { client } = await aPartner()
      assertInvalid(await findOrder(client, key), 'partner_order_id')
    })
  }
})
