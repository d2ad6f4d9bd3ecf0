import { dataOf, statusOf } from '#tests/support/answers'
import { cancelEvent, lapseOrder, suspend } from '#tests/support/circumstances'
import { assertRefused } from '#tests/support/expectations'
import { aPartner, book, grant } from '#tests/support/fixtures'
import { anOrder, aPaidOrder, cancel, confirm, refund } from '#tests/support/operations'
import { journalOf, one, takenSeats } from '#tests/support/rows'
import { test } from '@japa/runner'

const storedOrder = (orderId: string) => one('SELECT * FROM orders WHERE id = ?', orderId)
const storedStatus = async (orderId: string) => {
  const { stored_status: status } = await storedOrder(orderId)
  return status as string
}

test.group('POST /orders/{order_id}/cancel', () => {
  test('cancels a pending order and returns its seats at once', async ({ assert }) => {
    const { client, event, order } = await anOrder()

    const { status, data } = await cancel(client, order.order_id)

    assert.deepEqual([status, data.status], [200, 'cancelled'])
    assert.deepEqual(data.expires_at, order.expires_at)
    assert.deepEqual(await takenSeats(event), [])
    const names = await journalOf('order_id', order.order_id)
    assert.deepEqual(names, ['order_placed', 'order_cancelled'])
  })

  test('the freed seats can be booked by another partner', async ({ assert }) => {
    const { client, event, order } = await anOrder()
    const other = await aPartner()
    await grant(other, event)
    await cancel(client, order.order_id)
    assert.equal(statusOf(await book(other.client, event.id, ['seat-2-1', 'seat-2-2'])), 201)
  })

  test('a repeat on a cancelled order answers 200 and changes nothing', async ({ assert }) => {
    const { client, order } = await anOrder()
    const first = await cancel(client, order.order_id)
    const before = await storedOrder(order.order_id)

    const repeat = await cancel(client, order.order_id)

    assert.deepEqual([repeat.status, repeat.data], [200, first.data])
    assert.deepEqual(await storedOrder(order.order_id), before)
    const names = await journalOf('order_id', order.order_id)
    assert.deepEqual(names, ['order_placed', 'order_cancelled'])
  })

  test('a repeat does not free seats that another partner has booked since', async ({ assert }) => {
    const { client, event, order } = await anOrder()
    await cancel(client, order.order_id)
    await book(client, event.id, ['seat-2-1'])
    await cancel(client, order.order_id)
    assert.deepEqual(await takenSeats(event), ['seat-2-1 held'])
  })

  test('on an expired order answers 200, and it stays expired', async ({ assert }) => {
    const { client, event, order } = await anOrder()
    await lapseOrder(order.order_id)
    await book(client, event.id, ['seat-2-1'])

    const { status, data } = await cancel(client, order.order_id)

    assert.deepEqual([status, data.status], [200, 'expired'])
    assert.deepEqual(await takenSeats(event), ['seat-2-1 held'])
  })

  test('any JSON object as a body is ignored', async ({ assert }) => {
    const { client, order } = await anOrder()
    const { data } = await client.post(`/orders/${order.order_id}/cancel`, { reason: 'declined' })
    assert.equal(data.status, 'cancelled')
  })

  test('a suspended partner without a grant can cancel its order', async ({ assert }) => {
    const { client, event, partner, order } = await anOrder()
    await grant(partner, event, 'revoked')
    await suspend(partner)
    assert.equal(dataOf(await cancel(client, order.order_id)).status, 'cancelled')
  })

  test('a pending order of a cancelled event can be cancelled', async ({ assert }) => {
    const { client, event, order } = await anOrder()
    await cancelEvent(event)
    assert.equal(dataOf(await cancel(client, order.order_id)).status, 'cancelled')
  })

  test('a confirmed order cannot be cancelled, and its status is returned', async ({ assert }) => {
    const { client, event, order } = await aPaidOrder()
    const answer = await cancel(client, order.order_id)
    assertRefused(answer, 'ORDER_NOT_CANCELLABLE', { status: 'paid' })
    assert.deepEqual(await takenSeats(event), ['seat-2-1 sold', 'seat-2-2 sold'])
    assert.equal(await storedStatus(order.order_id), 'paid')
  })

  for (const [count, status] of [
    [1, 'partially_refunded'],
    [2, 'refunded'],
  ] as const) {
    test(`a ${status} order cannot be cancelled`, async () => {
      const { client, order } = await aPaidOrder()
      const ids = order.tickets.slice(0, count).map((ticket: any) => ticket.ticket_id)
      await refund(client, order.order_id, ids)
      assertRefused(await cancel(client, order.order_id), 'ORDER_NOT_CANCELLABLE', { status })
    })
  }

  test('of a simultaneous confirm and cancel exactly one succeeds', async ({ assert }) => {
    const { client, event, order } = await anOrder()
    const [paid, cancelled] = await Promise.all([
      confirm(client, order.order_id),
      cancel(client, order.order_id),
    ])

    const outcome = [paid.status, cancelled.status].sort()
    assert.deepEqual(outcome, [200, 409])
    const { stored_status: status } = await storedOrder(order.order_id)
    assert.equal(status, paid.status === 200 ? 'paid' : 'cancelled')
    assert.lengthOf(await takenSeats(event), paid.status === 200 ? 2 : 0)
  })

  for (const orderId of ['TIX-2026-999999999', 'nonsense']) {
    test(`no such order: ${orderId}`, async () => {
      const { client } = await aPartner()
      assertRefused(await cancel(client, orderId), 'ORDER_NOT_FOUND')
    })
  }

  test("another partner's order does not exist", async ({ assert }) => {
    const { order } = await anOrder()
    const { client } = await aPartner()
    assertRefused(await cancel(client, order.order_id), 'ORDER_NOT_FOUND')
    assert.equal(await storedStatus(order.order_id), 'pending')
  })
})
