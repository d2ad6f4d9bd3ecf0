import { readGateList } from '#gate/phones/gate_list'
import { TESTER, aSale, sell } from '#tests/support/fixtures'
import { aGate } from '#tests/functional/races/support/gates'
import { rows } from '#tests/functional/races/support/sql'
import VoidTickets from '#sales/void_tickets/void_tickets'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'

const digits = ({ number }: { number: string }) => Number(/\d+$/.exec(number)![0])

test.group('Gate list', () => {
  test('lists used and void tickets, then only changes', async ({ assert }) => {
    const [{ client, event }, gate] = await Promise.all([aSale(), aGate()])
    const order = await sell(client, event.id, ['seat-1-1', 'seat-1-2', 'seat-1-3', 'seat-1-4'])
    const [first, refunded, second] = order.tickets
    await gate.scan(event.id, first.qr_token)
    await client.post(`/orders/${order.order_id}/refund`, {
      ticket_ids: [refunded.ticket_id],
      reason: 'ill',
    })

    const all = await readGateList(event.id, null)

    assert.deepEqual(all.gates, [gate.name])
    assert.deepEqual(
      all.used.map(([number, , place]) => [number, place]),
      [[digits(first), 0]]
    )
    assert.deepEqual(all.void, [[digits(refunded), 'refund']])
    assert.deepEqual([all.inside, all.sold], [1, 3])

    await rows(
      `UPDATE ticket_scans SET scanned_at = scanned_at - interval '5 minutes' WHERE event_id = $1`,
      [event.id]
    )
    await rows(`UPDATE tickets SET voided_at = now() - interval '5 minutes' WHERE id = $1`, [
      refunded.ticket_id,
    ])
    await gate.scan(event.id, second.qr_token)
    const since = await readGateList(event.id, all.cursor)

    assert.deepEqual(
      since.used.map(([number]) => number),
      [digits(second)]
    )
    assert.deepEqual(since.void, [])
    assert.deepEqual([since.inside, since.sold], [2, 3])
  })

  test('a change written during a read appears in the next one', async ({ assert }) => {
    const [{ client, event }, gate] = await Promise.all([aSale(), aGate()])
    const { tickets } = await sell(client, event.id, ['seat-1-1'])
    const lists = Promise.all(Array.from({ length: 5 }, () => readGateList(event.id, null)))
    await Promise.all([lists, gate.scan(event.id, tickets[0].qr_token)])
    for (const { cursor } of await lists) {
      const { used } = await readGateList(event.id, cursor)
      assert.equal(used[0][0], digits(tickets[0]))
    }
  })

  test('a void that is committed after the list was read appears in the next one', async ({
    assert,
  }) => {
    const { client, event } = await aSale()
    const { tickets } = await sell(client, event.id, ['seat-1-1'])
    const voiding = await db.transaction()
    await voiding.rawQuery(
      `UPDATE tickets SET status = 'void', void_cause = 'refund', void_reason = 'ill', voided_by = 'x',
              voided_at = clock_timestamp() WHERE event_id = ?`,
      [event.id]
    )
    const { cursor, void: before } = await readGateList(event.id, null)
    await voiding.commit()
    const { void: after } = await readGateList(event.id, cursor)
    assert.deepEqual([before, after], [[], [[digits(tickets[0]), 'refund']]])
  })

  test('a guest whom a phone without network reports late is new to the others', async ({
    assert,
  }) => {
    const [{ client, event }, gate] = await Promise.all([aSale(), aGate()])
    const { tickets } = await sell(client, event.id, ['seat-1-1'])
    const { cursor } = await readGateList(event.id, null)
    await gate.scan(event.id, tickets[0].qr_token)
    await rows(
      `UPDATE ticket_scans SET offline_at = scanned_at - interval '1 hour' WHERE event_id = $1`,
      [event.id]
    )
    const { used } = await readGateList(event.id, cursor)
    assert.deepEqual(
      used.map(([number]) => number),
      [digits(tickets[0])]
    )
  })

  test('a ticket whose scan was refused is not listed as used', async ({ assert }) => {
    const [{ client, event }, gate] = await Promise.all([aSale(), aGate()])
    const { order_id: orderId, tickets } = await sell(client, event.id, ['seat-1-1'])
    await client.post(`/orders/${orderId}/refund`, {
      ticket_ids: [tickets[0].ticket_id],
      reason: 'ill',
    })
    await gate.scan(event.id, tickets[0].qr_token)
    const { used } = await readGateList(event.id, null)
    assert.deepEqual(used, [])
  })

  test('tickets that the platform took back are listed', async ({ assert }) => {
    const { client, partner, event } = await aSale()
    const { order_id: orderId, tickets } = await sell(client, event.id, ['seat-1-1', 'seat-1-2'])
    await new VoidTickets().handle({
      partnerId: partner.id,
      actor: TESTER,
      orderId,
      ticketIds: [tickets[0].ticket_id],
      cause: 'platform',
      reason: 'Дубликат',
      returnsSeats: false,
    })
    const { void: listed } = await readGateList(event.id, null)
    assert.deepEqual(listed, [[digits(tickets[0]), 'platform']])
  })

  test('has the second of an admission cut, and nothing of other events', async ({ assert }) => {
    const [{ client, event }, gate] = await Promise.all([aSale(), aGate()])
    const { tickets } = await sell(client, event.id, ['seat-1-1'])
    await gate.scan(event.id, tickets[0].qr_token)
    await rows(`UPDATE tickets SET used_at = '2026-11-25 12:00:00.7Z' WHERE id = $1`, [
      tickets[0].ticket_id,
    ])
    const other = await aSale()
    const sold = await sell(other.client, other.event.id, ['seat-1-1'])
    await other.client.post(`/orders/${sold.order_id}/refund`, {
      ticket_ids: [sold.tickets[0].ticket_id],
      reason: 'ill',
    })

    const { used, void: voided } = await readGateList(event.id, null)

    assert.deepEqual(
      used.map(([, at]) => at),
      [Date.parse('2026-11-25T12:00:00Z') / 1000]
    )
    assert.deepEqual(voided, [])
  })

  test('an edited cursor starts over, and tickets of a past event stay counted', async ({
    assert,
  }) => {
    const { client, event } = await aSale()
    await sell(client, event.id, ['seat-1-1', 'seat-1-2'])
    await rows(`UPDATE tickets SET status = 'expired' WHERE event_id = $1`, [event.id])
    const { sold, inside } = await readGateList(event.id, 'yesterday')
    assert.deepEqual([inside, sold], [0, 2])
  })
})
