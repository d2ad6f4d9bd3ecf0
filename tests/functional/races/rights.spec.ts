import { closeSaleGate } from '#catalog/sale_gate'
import ChangeGrants from '#partners/actions/change_grants'
import ChangePartnerStatus from '#partners/actions/change_partner_status'
import { TESTER, anEvent, book, grant, order, type TestPartner } from '#tests/support/fixtures'
import type { Answer } from '#tests/support/partner_client'
import db from '@adonisjs/lucid/services/db'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { test } from '@japa/runner'
import { outcomeOf } from './support/crowd.js'
import { untilSomebodyWaits } from './support/gate_hold.js'
import { aRival } from './support/sales.js'
import { count, rows } from './support/sql.js'

type Change = (partner: TestPartner, event: { id: string }) => Promise<unknown>

/** What takes the right to sell, and how the next booking or order is answered then. */
const CHANGES: [name: string, change: Change, outcome: string][] = [
  ['a revoked grant', (partner, event) => grant(partner, event, 'revoked'), '403 ACCESS_DENIED'],
  [
    'grants revoked together',
    ({ code }, { id }) =>
      new ChangeGrants().handle({
        grants: [{ partnerCode: code, eventId: id }],
        access: 'revoked',
        reason: null,
        actor: TESTER,
      }),
    '403 ACCESS_DENIED',
  ],
  [
    'a suspension',
    ({ code }) =>
      new ChangePartnerStatus().handle({
        partnerCode: code,
        to: 'suspended',
        reason: null,
        actor: TESTER,
      }),
    '403 PARTNER_DISABLED',
  ],
]

/** Somebody else has what the request needs; the change is made while the request waits for it. */
async function changeWhileWaiting(
  hold: (trx: TransactionClientContract) => Promise<unknown>,
  send: () => Promise<Answer>,
  change: () => Promise<unknown>
) {
  const trx = await db.transaction()
  await hold(trx)
  const sent = send()
  await untilSomebodyWaits()
  const changed = change()
  // The change either is made at once or waits for the sale: then the sale has to go on first.
  await Promise.race([changed, untilSomebodyWaits(2)])
  await trx.rollback()
  const [answer] = await Promise.all([sent, changed])
  return answer
}

const lockSeat = (eventId: string) => (trx: TransactionClientContract) =>
  trx.rawQuery(
    `SELECT 1 FROM event_seats WHERE event_id = ? AND space_id = 'seat-1-1' FOR UPDATE`,
    [eventId]
  )

/** The journal in the order of what happened, of one partner. */
async function happened(partner: TestPartner) {
  const entries = await rows(
    `SELECT name FROM journal WHERE partner_id = $1 AND name IN
       ('booking_created', 'order_placed', 'grant_revoked', 'partner_suspended') ORDER BY id`,
    [partner.id]
  )
  return entries.map(({ name }) => name as string)
}

for (const [name, change, outcome] of CHANGES) {
  test.group(`Sales during ${name}`, () => {
    test('a booking that waited for it is refused', async ({ assert }) => {
      const event = await anEvent()
      const partner = await aRival(event)
      const answer = await changeWhileWaiting(
        (trx) => closeSaleGate(event.id, trx),
        () => book(partner.client, event.id, ['seat-1-1']),
        () => change(partner, event)
      )
      assert.equal(outcomeOf(answer), outcome)
      assert.equal(await count('SELECT count(*) FROM bookings WHERE event_id = $1', [event.id]), 0)
    })

    test('an order that waited for it is refused', async ({ assert }) => {
      const event = await anEvent()
      const partner = await aRival(event)
      const booking = await book(partner.client, event.id, ['seat-1-1'])
      const answer = await changeWhileWaiting(
        (trx) => closeSaleGate(event.id, trx),
        () => order(partner.client, booking.data.booking_id),
        () => change(partner, event)
      )
      assert.equal(outcomeOf(answer), outcome)
      assert.equal(await count('SELECT count(*) FROM orders WHERE event_id = $1', [event.id]), 0)
    })

    test('a booking that waits for a seat is done before it', async ({ assert }) => {
      const event = await anEvent()
      const partner = await aRival(event)
      const answer = await changeWhileWaiting(
        lockSeat(event.id),
        () => book(partner.client, event.id, ['seat-1-1']),
        () => change(partner, event)
      )
      assert.equal(answer.status, 201)
      const [first] = await happened(partner)
      assert.equal(first, 'booking_created')
      assert.equal(outcomeOf(await book(partner.client, event.id, ['seat-1-2'])), outcome)
    })

    test('an order that waits for its seat is done before it', async ({ assert }) => {
      const event = await anEvent()
      const partner = await aRival(event)
      const booking = await book(partner.client, event.id, ['seat-1-1'])
      const answer = await changeWhileWaiting(
        lockSeat(event.id),
        () => order(partner.client, booking.data.booking_id),
        () => change(partner, event)
      )
      assert.equal(answer.status, 201)
      const [, second] = await happened(partner)
      assert.equal(second, 'order_placed')
    })
  })
}

test.group('Sales during an edit of the event', () => {
  test('a booking that waited for the edit obeys the new limit of seats', async ({ assert }) => {
    const event = await anEvent()
    const { client } = await aRival(event)
    const answer = await changeWhileWaiting(
      (trx) => closeSaleGate(event.id, trx),
      () => book(client, event.id, ['seat-1-1', 'seat-1-2', 'seat-1-3']),
      () => rows('UPDATE events SET max_seats_per_booking = 2 WHERE id = $1', [event.id])
    )
    assert.equal(outcomeOf(answer), '409 BOOKING_LIMIT_EXCEEDED')
  })
})
