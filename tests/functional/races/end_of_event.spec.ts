import RescheduleEvent from '#catalog/actions/reschedule_event'
import { TESTER, aSale, sell } from '#tests/support/fixtures'
import { one } from '#tests/support/rows'
import expireTickets from '#tickets/jobs/expire_tickets'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { sleep } from './support/crowd.js'
import { untilSomebodyWaits } from './support/gate_hold.js'
import { rows } from './support/sql.js'

const SOON_MS = 400
const DAY_MS = 86_400_000

/** A sold ticket of an event that ends in a moment. */
async function aTicketAtTheEnd() {
  const { client, event } = await aSale()
  const order = await sell(client, event.id, ['seat-1-1'])
  const [{ ends_at: endsAt }] = await rows(
    `UPDATE events SET starts_at = clock_timestamp() - interval '3 hours', stored_status = 'sales_closed',
            ends_at = clock_timestamp() + make_interval(secs => $2) WHERE id = $1 RETURNING ends_at`,
    [event.id, SOON_MS / 1000]
  )
  return {
    event,
    orderId: order.order_id as string,
    untilEnd: () => sleep(endsAt - Date.now() + 20),
  }
}

const statusOf = async (orderId: string) => {
  const ticket = await one('SELECT status FROM tickets WHERE order_id = ?', orderId)
  return ticket.status as string
}

test.group('Expiry of tickets at the end of an event', () => {
  test('an event that is being rescheduled keeps its tickets', async ({ assert }) => {
    const { event, orderId, untilEnd } = await aTicketAtTheEnd()
    const moving = await db.transaction()
    await moving.rawQuery('SELECT 1 FROM events WHERE id = ? FOR NO KEY UPDATE', [event.id])
    await moving.rawQuery(`UPDATE events SET ends_at = ends_at + interval '1 day' WHERE id = ?`, [
      event.id,
    ])
    await untilEnd()
    const swept = expireTickets()
    await Promise.race([swept, sleep(200)])
    await moving.commit()
    await swept
    assert.equal(await statusOf(orderId), 'active')

    await expireTickets()
    assert.equal(await statusOf(orderId), 'active')
  })

  test('an event whose tickets are being expired cannot be rescheduled', async ({ assert }) => {
    const { event, orderId, untilEnd } = await aTicketAtTheEnd()
    const sweeping = await db.transaction()
    await sweeping.rawQuery('SELECT 1 FROM events WHERE id = ? FOR NO KEY UPDATE', [event.id])
    const moved = new RescheduleEvent()
      .handle({
        eventId: event.id,
        startsAt: new Date(Date.now() + DAY_MS),
        endsAt: new Date(Date.now() + 2 * DAY_MS),
        salesStartAt: null,
        reason: 'Болезнь солиста',
        actor: TESTER,
      })
      .catch((error: unknown) => error)
    await untilSomebodyWaits()
    await untilEnd()
    await sweeping.rawQuery(`UPDATE tickets SET status = 'expired' WHERE order_id = ?`, [orderId])
    await sweeping.commit()
    assert.propertyVal(await moved, 'refusalCode', 'EVENT_IS_OVER')
  })
})
