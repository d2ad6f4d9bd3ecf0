import { dataOf, statusOf } from '#tests/support/answers'
import platform from '#config/platform'
import VoidTickets from '#sales/void_tickets/void_tickets'
import { cancelEvent, suspend } from '#tests/support/circumstances'
import { assertInvalid, assertRefused } from '#tests/support/expectations'
import { TESTER, aPartner, book, grant } from '#tests/support/fixtures'
import { anOrder, aPaidOrder, findOrder, refund } from '#tests/support/operations'
import { one, ownerRows, rows, takenSeats } from '#tests/support/rows'
import { test } from '@japa/runner'

const idsOf = (order: any) => order.tickets.map((ticket: any) => ticket.ticket_id) as string[]
const statusesOf = (order: any) => order.tickets.map((ticket: any) => ticket.status) as string[]
const ticketRow = (id: string) =>
  one('SELECT * FROM tickets WHERE id = ?', id) as Promise<Record<string, any> & { status: string }>
const refundsOf = (orderId: string) =>
  rows(`SELECT change FROM journal WHERE name = 'tickets_refunded' AND order_id = ?`, orderId)
const refusedRefundsOf = async (orderId: string) => {
  const refused = await rows('SELECT ticket_id FROM refused_refunds WHERE order_id = ?', orderId)
  return refused.map(({ ticket_id: id }) => id as string)
}
const letIn = (ticketId: string) =>
  ownerRows(
    `UPDATE tickets SET status = 'used', used_at = now(), used_gate = 'A' WHERE id = ?`,
    ticketId
  )
const notRefundable = (ticketId: string, status: string | null) => ({
  ticket_id: ticketId,
  status,
  tickets: [{ ticket_id: ticketId, status }],
})

test.group('POST /orders/{order_id}/refund', () => {
  test('all tickets: the order is refunded, tickets are void, seats are on sale', async ({
    assert,
  }) => {
    const { client, event, order } = await aPaidOrder()

    const { status, data } = await refund(client, order.order_id, idsOf(order))

    assert.deepEqual([status, data.status], [200, 'refunded'])
    assert.deepEqual(statusesOf(data), ['void', 'void'])
    assert.deepEqual(await takenSeats(event), [])
    assert.equal(statusOf(await book(client, event.id, ['seat-2-1'])), 201)
  })

  test('a voided ticket has no token and keeps cause, reason, time and author', async ({
    assert,
  }) => {
    const { client, order } = await aPaidOrder()
    const [id] = idsOf(order)

    const { data } = await refund(client, order.order_id, [id], 'Болезнь')

    assert.isNull(data.tickets[0].qr_token)
    assert.equal(data.tickets[0].pdf_url, order.tickets[0].pdf_url)
    const row = await ticketRow(id)
    assert.containsSubset(row, { void_cause: 'refund', void_reason: 'Болезнь' })
    assert.equal(row.voided_by, `partner:${client.credentials.apiKey}`)
    assert.closeTo(row.voided_at.getTime(), Date.now(), 2000)
  })

  test('some tickets: the order is partially refunded, only their seats are freed', async ({
    assert,
  }) => {
    const { client, event, order } = await aPaidOrder()
    const { data } = await refund(client, order.order_id, [idsOf(order)[1]])
    assert.equal(data.status, 'partially_refunded')
    assert.deepEqual(statusesOf(data), ['active', 'void'])
    assert.deepEqual(await takenSeats(event), ['seat-2-1 sold'])
  })

  test('the remaining tickets with another reason: the order is refunded', async ({ assert }) => {
    const { client, event, order } = await aPaidOrder()
    const [first, second] = idsOf(order)
    await refund(client, order.order_id, [first], 'one')

    const { data } = await refund(client, order.order_id, [second], 'two')

    assert.equal(data.status, 'refunded')
    assert.deepEqual(await takenSeats(event), [])
    const refunds = await refundsOf(order.order_id)
    assert.deepEqual(
      refunds.map(({ change }) => change.refunded_tenge),
      ['12000', '12000']
    )
  })

  test('a repeat with the same reason succeeds and changes nothing', async ({ assert }) => {
    const { client, event, order } = await aPaidOrder()
    const [id] = idsOf(order)
    const first = await refund(client, order.order_id, [id])
    await book(client, event.id, ['seat-2-1'])

    const repeat = await refund(client, order.order_id, [id])

    assert.deepEqual([repeat.status, repeat.data], [200, first.data])
    assert.lengthOf(await refundsOf(order.order_id), 1)
    assert.deepEqual(await takenSeats(event), ['seat-2-1 held', 'seat-2-2 sold'])
  })

  test('a list of voided and valid tickets with the same reason voids the valid', async ({
    assert,
  }) => {
    const { client, order } = await aPaidOrder()
    const [first, second] = idsOf(order)
    await refund(client, order.order_id, [first])
    const { data } = await refund(client, order.order_id, [first, second])
    assert.equal(data.status, 'refunded')
  })

  test('a ticket that the platform took back is not refunded: the order stays partially refunded', async ({
    assert,
  }) => {
    const { client, event, partner, order } = await aPaidOrder()
    const [taken, refunded] = idsOf(order)
    await new VoidTickets().handle({
      partnerId: partner.id,
      actor: TESTER,
      orderId: order.order_id,
      ticketIds: [taken],
      cause: 'platform',
      reason: 'Дубликат',
      returnsSeats: false,
    })
    // Its seat is nobody's, and not on sale either.
    const seats = await takenSeats(event)
    assert.sameMembers(
      seats.map((seat) => seat.split(' ')[1]),
      ['blocked', 'sold']
    )

    const { data } = await refund(client, order.order_id, [refunded])

    assert.equal(data.status, 'partially_refunded')
    assert.deepEqual(statusesOf(data), ['void', 'void'])
  })

  test('tickets that the platform took back leave the order paid, also with their seats on sale', async ({
    assert,
  }) => {
    const { event, partner, order } = await aPaidOrder()
    const { status } = await new VoidTickets().handle({
      partnerId: partner.id,
      actor: TESTER,
      orderId: order.order_id,
      ticketIds: idsOf(order),
      cause: 'platform',
      reason: 'Дубликат',
      returnsSeats: true,
    })
    assert.equal(status, 'paid')
    assert.deepEqual(await takenSeats(event), [])
  })

  test('the payment and the total stay the same', async ({ assert }) => {
    const { client, order } = await aPaidOrder()
    const { data } = await refund(client, order.order_id, idsOf(order))
    assert.deepEqual(data.payment_info, order.payment_info)
    assert.deepEqual([data.total_tenge, data.expires_at], [24_000, null])
  })

  test('a suspended partner without a grant can refund its tickets', async ({ assert }) => {
    const { client, event, partner, order } = await aPaidOrder()
    await grant(partner, event, 'revoked')
    await suspend(partner)
    assert.equal(statusOf(await refund(client, order.order_id, idsOf(order))), 200)
  })

  test('a used ticket refuses the whole refund and returns its status', async ({ assert }) => {
    const { client, event, order } = await aPaidOrder()
    const [first, second] = idsOf(order)
    await letIn(second)

    const answer = await refund(client, order.order_id, [first, second])

    assertRefused(answer, 'TICKET_NOT_REFUNDABLE', notRefundable(second, 'used'))
    assert.equal(statusOf(await ticketRow(first)), 'active')
    assert.deepEqual(await takenSeats(event), ['seat-2-1 sold', 'seat-2-2 sold'])
    assert.lengthOf(await refundsOf(order.order_id), 0)
    assert.deepEqual(await refusedRefundsOf(order.order_id), [second])
  })

  test('the refusal of a void ticket is none of a used one, though a guest had entered with it', async ({
    assert,
  }) => {
    const { client, order } = await aPaidOrder()
    const [first] = idsOf(order)
    await letIn(first)
    await ownerRows(
      `UPDATE tickets SET status = 'void', void_cause = 'event_cancelled', void_reason = 'Отмена',
              voided_by = 'console:tests', voided_at = clock_timestamp() WHERE id = ?`,
      first
    )
    const answer = await refund(client, order.order_id, [first])
    assertRefused(answer, 'TICKET_NOT_REFUNDABLE', notRefundable(first, 'void'))
    assert.deepEqual(await refusedRefundsOf(order.order_id), [])
  })

  test('a refused void by the platform is no refused refund of the partner', async ({ assert }) => {
    const { partner, order } = await aPaidOrder()
    const [used] = idsOf(order)
    await letIn(used)
    const refused = () =>
      new VoidTickets().handle({
        partnerId: partner.id,
        actor: TESTER,
        orderId: order.order_id,
        ticketIds: [used],
        cause: 'platform',
        reason: 'Дубликат',
        returnsSeats: false,
      })
    await assert.rejects(refused, /cannot be refunded/)
    assert.equal(statusOf(await ticketRow(used)), 'used')
    assert.deepEqual(await refusedRefundsOf(order.order_id), [])
  })

  test('a ticket voided with another reason is refused', async ({ assert }) => {
    const { client, order } = await aPaidOrder()
    const [id] = idsOf(order)
    await refund(client, order.order_id, [id], 'one')
    const answer = await refund(client, order.order_id, [id], 'two')
    assertRefused(answer, 'TICKET_NOT_REFUNDABLE', notRefundable(id, 'void'))
    assert.containsSubset(await ticketRow(id), { void_reason: 'one' })
  })

  test('a ticket of a cancelled event is refused, even with the same reason', async ({
    assert,
  }) => {
    const { client, event, order } = await aPaidOrder()
    const [id] = idsOf(order)
    await cancelEvent(event)
    const answer = await refund(client, order.order_id, [id], 'Болезнь солиста')
    assertRefused(answer, 'TICKET_NOT_REFUNDABLE', notRefundable(id, 'void'))
    assert.containsSubset(await ticketRow(id), { void_cause: 'event_cancelled' })
  })

  test('a ticket of a past event is refused', async () => {
    const { client, event, order } = await aPaidOrder()
    await ownerRows(
      `UPDATE events SET starts_at = now() - interval '2 days', ends_at = now() - interval '1 day' WHERE id = ?`,
      event.id
    )
    const [id] = idsOf(order)
    const answer = await refund(client, order.order_id, [id])
    assertRefused(answer, 'TICKET_NOT_REFUNDABLE', notRefundable(id, 'expired'))
  })

  test("another order's ticket is refused without its status", async ({ assert }) => {
    const { client, order } = await aPaidOrder()
    const { order: foreign } = await aPaidOrder()
    const [theirs] = idsOf(foreign)

    const answer = await refund(client, order.order_id, [idsOf(order)[0], theirs])

    assertRefused(answer, 'TICKET_NOT_REFUNDABLE', notRefundable(theirs, null))
    assert.equal(statusOf(await ticketRow(theirs)), 'active')
    assert.equal(statusOf(await ticketRow(idsOf(order)[0])), 'active')
  })

  test("another partner's ticket and an unknown one are refused alike", async () => {
    const { client, order } = await aPaidOrder()
    for (const id of ['tkt_00000000000000000000000000', 'билет']) {
      const answer = await refund(client, order.order_id, [id])
      assertRefused(answer, 'TICKET_NOT_REFUNDABLE', notRefundable(id, null))
    }
  })

  test('a pending order has no tickets to refund', async () => {
    const { client, order } = await anOrder()
    const id = 'tkt_00000000000000000000000000'
    const answer = await refund(client, order.order_id, [id])
    assertRefused(answer, 'TICKET_NOT_REFUNDABLE', notRefundable(id, null))
  })

  test('ten simultaneous refunds refund once', async ({ assert }) => {
    const { client, order } = await aPaidOrder()
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => refund(client, order.order_id, idsOf(order)))
    )
    answers.forEach(({ status }) => assert.equal(status, 200))
    assert.lengthOf(await refundsOf(order.order_id), 1)
  })

  for (const orderId of ['TIX-2026-999999999', 'nonsense']) {
    test(`no such order: ${orderId}`, async () => {
      const { client } = await aPartner()
      assertRefused(await refund(client, orderId, ['tkt_x']), 'ORDER_NOT_FOUND')
    })
  }

  test("another partner's order does not exist", async ({ assert }) => {
    const { order } = await aPaidOrder()
    const { client } = await aPartner()
    assertRefused(await refund(client, order.order_id, idsOf(order)), 'ORDER_NOT_FOUND')
    assert.equal(statusOf(await ticketRow(idsOf(order)[0])), 'active')
  })

  test('an empty list of tickets is invalid', async () => {
    const { client, order } = await aPaidOrder()
    assertInvalid(await refund(client, order.order_id, []), 'ticket_ids')
  })

  for (const [length, status] of [
    [0, 422],
    [1, 200],
    [500, 200],
    [501, 422],
  ]) {
    test(`a reason of ${length} characters answers ${status}`, async ({ assert }) => {
      const { client, order } = await aPaidOrder()
      const answer = await refund(client, order.order_id, idsOf(order), 'ң'.repeat(length))
      assert.equal(answer.status, status)
      if (status === 422) assertInvalid(answer, 'reason')
      const expected = status === 200 ? 'void' : 'active'
      assert.equal(statusOf(await ticketRow(idsOf(order)[0])), expected)
    })
  }

  test('reading the order after a refund returns the same', async ({ assert }) => {
    const { client, order } = await aPaidOrder()
    const { data } = await refund(client, order.order_id, [idsOf(order)[0]])
    assert.deepEqual(dataOf(await findOrder(client, order.partner_order_id)), data)
  })
})

test.group('POST /orders/{order_id}/refund in phase 1', (group) => {
  group.each.setup(() => {
    const phase = platform.contractPhase
    platform.contractPhase = 1
    return () => {
      platform.contractPhase = phase
    }
  })

  test('does not exist, and voids nothing', async ({ assert }) => {
    const { client, event, order } = await aPaidOrder()
    assertRefused(await refund(client, order.order_id, idsOf(order)), 'NOT_FOUND')
    assert.equal(statusOf(await ticketRow(idsOf(order)[0])), 'active')
    assert.deepEqual(await takenSeats(event), ['seat-2-1 sold', 'seat-2-2 sold'])
  })

  test('is not found, also with an invalid body', async () => {
    const { client, order } = await aPaidOrder()
    assertRefused(await client.post(`/orders/${order.order_id}/refund`, {}), 'NOT_FOUND')
  })
})
