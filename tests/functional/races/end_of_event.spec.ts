import RescheduleEvent from '#catalog/actions/reschedule_event'
import { closeSaleGate } from '#catalog/sale_gate'
import { changeStatus } from '#tests/support/circumstances'
import { TESTER, aSale, anEvent, book, sell } from '#tests/support/fixtures'
import { refund } from '#tests/support/operations'
import type { Answer } from '#tests/support/partner_client'
import { one, takenSeats } from '#tests/support/rows'
import expireTickets from '#tickets/jobs/expire_tickets'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { outcomeOf, sleep } from './support/crowd.js'
import { untilSomebodyWaits } from './support/gate_hold.js'
import { aGate } from './support/gates.js'
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

/** A sold ticket of an event that is over, and a gate. */
async function aTicketAfterTheEnd() {
  const [{ client, event }, gate] = await Promise.all([aSale(), aGate()])
  const { order_id: orderId, tickets } = await sell(client, event.id, ['seat-1-1'])
  await rows(
    `UPDATE events SET starts_at = clock_timestamp() - interval '3 hours', stored_status = 'sales_closed',
            ends_at = clock_timestamp() - interval '1 minute' WHERE id = $1`,
    [event.id]
  )
  const [ticket] = tickets as { ticket_id: string; qr_token: string }[]
  return { client, event, gate, orderId: orderId as string, ticket }
}

/** Holds the ticket while `act` is sent, moves the end of its event to tomorrow, and lets the ticket go. */
async function whileItsEventIsMoved(
  { event, ticket }: { event: { id: string }; ticket: { ticket_id: string } },
  act: () => Promise<Answer>
) {
  const holding = await db.transaction()
  await holding.rawQuery('SELECT 1 FROM tickets WHERE id = ? FOR UPDATE', [ticket.ticket_id])
  const sent = act()
  await untilSomebodyWaits()
  await rows(`UPDATE events SET ends_at = ends_at + interval '1 day' WHERE id = $1`, [event.id])
  await holding.commit()
  return sent
}

test.group('Tickets of an event that is moved while they are waited for', () => {
  test('a scan that waited admits by the new end', async ({ assert }) => {
    const sold = await aTicketAfterTheEnd()
    const before = await sold.gate.scan(sold.event.id, sold.ticket.qr_token)
    assert.equal(outcomeOf(before), '409 TICKET_EXPIRED')
    const answer = await whileItsEventIsMoved(sold, () =>
      sold.gate.scan(sold.event.id, sold.ticket.qr_token)
    )
    assert.equal(outcomeOf(answer), '200')
    assert.equal(await statusOf(sold.orderId), 'used')
  })

  test('a refund that waited is made by the new end', async ({ assert }) => {
    const sold = await aTicketAfterTheEnd()
    const ask = () => refund(sold.client, sold.orderId, [sold.ticket.ticket_id])
    assert.equal(outcomeOf(await ask()), '409 TICKET_NOT_REFUNDABLE')
    assert.equal(outcomeOf(await whileItsEventIsMoved(sold, ask)), '200')
    assert.equal(await statusOf(sold.orderId), 'void')
  })
})

test.group('Sales that are changed at the start of an event', () => {
  test('sales that waited until the event had started are not opened', async ({ assert }) => {
    const event = await anEvent({ status: 'sales_paused' })
    const [{ starts_at: startsAt }] = await rows(
      `UPDATE events SET starts_at = clock_timestamp() + make_interval(secs => $2) WHERE id = $1 RETURNING starts_at`,
      [event.id, SOON_MS / 1000]
    )
    const holding = await db.transaction()
    await holding.rawQuery('SELECT 1 FROM events WHERE id = ? FOR NO KEY UPDATE', [event.id])
    const opened = changeStatus(event, 'open').catch((error: unknown) => error)
    await untilSomebodyWaits()
    await sleep(startsAt - Date.now() + 20)
    await holding.rollback()
    assert.propertyVal(await opened, 'refusalCode', 'STATUS_NOT_REACHABLE')
  })

  test('a booking that waited until the event had started holds nothing', async ({ assert }) => {
    const { client, event } = await aSale()
    const [{ starts_at: startsAt }] = await rows(
      `UPDATE events SET starts_at = clock_timestamp() + make_interval(secs => $2) WHERE id = $1 RETURNING starts_at`,
      [event.id, SOON_MS / 1000]
    )
    const holding = await db.transaction()
    await closeSaleGate(event.id, holding)
    const booked = book(client, event.id, ['seat-1-1'])
    await untilSomebodyWaits()
    await sleep(startsAt - Date.now() + 20)
    await holding.rollback()
    assert.equal(outcomeOf(await booked), '409 SALES_NOT_OPEN')
    assert.deepEqual(await takenSeats(event), [])
  })
})
