import expireOverdue from '#sales/expire_overdue/expire_overdue'
import { aPartner, aSale, book, grant, order } from '#tests/support/fixtures'
import { one, rows, takenSeats } from '#tests/support/rows'
import { dataOf } from '#tests/support/answers'
import { test } from '@japa/runner'

const storedStatus = async (table: 'bookings' | 'orders', id: string) => {
  const { stored_status: status } = await one(`SELECT stored_status FROM ${table} WHERE id = ?`, id)
  return status as string
}

test.group('Ordered locking of seats (hold_seats_sql.ts)', () => {
  test('seats 2, 1 against 3, 2 at the same time: one books, the other holds none of its seats', async ({
    assert,
  }) => {
    const { client, event } = await aSale()
    const rival = await aPartner()
    await grant(rival, event)

    const answers = await Promise.all([
      book(client, event.id, ['seat-1-2', 'seat-1-1']),
      book(rival.client, event.id, ['seat-1-3', 'seat-1-2']),
    ])

    assert.sameMembers(
      answers.map(({ status }) => status),
      [201, 409]
    )
    const [first] = answers
    assert.deepEqual(
      await takenSeats(event),
      first.status === 201 ? ['seat-1-1 held', 'seat-1-2 held'] : ['seat-1-2 held', 'seat-1-3 held']
    )
  })
})

test.group('Lazy expiry with a sweep (expire_overdue.ts)', () => {
  test('a booking reads as expired at its moment; the sweep stores it afterwards', async ({
    assert,
  }) => {
    const { client, event } = await aSale()
    const booking = dataOf(await book(client, event.id, ['seat-1-1']))
    await rows(`UPDATE bookings SET expires_at = now() WHERE id = ?`, booking.booking_id)
    await rows(`UPDATE event_seats SET hold_until = now() WHERE held_by = ?`, booking.booking_id)

    assert.deepEqual(await takenSeats(event), [])
    const late = await order(client, booking.booking_id)
    assert.equal(late.error?.code, 'BOOKING_EXPIRED')
    assert.equal(await storedStatus('bookings', booking.booking_id), 'active')
    await expireOverdue()
    assert.equal(await storedStatus('bookings', booking.booking_id), 'expired')
  })

  test('the sweep stores an expired order 30 seconds after its window', async ({ assert }) => {
    const { client, event } = await aSale()
    const booking = dataOf(await book(client, event.id, ['seat-1-1']))
    const { order_id: id } = dataOf(await order(client, booking.booking_id))
    const endWindow = (ago: string) =>
      rows(`UPDATE orders SET window_ends_at = now() - ?::interval WHERE id = ?`, ago, id)

    await endWindow('20 seconds')
    await expireOverdue()
    assert.equal(await storedStatus('orders', id), 'pending')
    await endWindow('30 seconds')
    await expireOverdue()
    assert.equal(await storedStatus('orders', id), 'expired')
  })
})
