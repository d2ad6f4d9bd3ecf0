import { BlockSeats, UnblockSeats } from '#inventory/actions/block_seats'
import { Refusal } from '#shared/refusals'
import { aSale, anEvent, book, TESTER } from '#tests/support/fixtures'
import { StaffClient } from '#tests/support/staff_client'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { outcomeOf, sleep, together } from './support/crowd.js'
import { untilSomebodyWaits } from './support/gate_hold.js'
import { brokenRules } from './support/invariants.js'
import { rivals, SMALL_HALL_SEATS } from './support/sales.js'
import { count, deadlocks, rows } from './support/sql.js'

const ROUNDS = 6
const PARTNERS = 3
/** Of a partner at once; each wants four seats. */
const AT_ONCE = 12
const WANTED = 4

/** Answers that a booking may get. */
const EXPECTED = new Set(['201', '409 SEATS_NOT_AVAILABLE'])

const someSeats = () => [...SMALL_HALL_SEATS].sort(() => Math.random() - 0.5).slice(0, WANTED)

const seatsOf = (eventId: string) =>
  rows('SELECT space_id, state, held_by FROM event_seats WHERE event_id = $1', [eventId])

test.group('Simultaneous blocks and bookings', () => {
  test('a block with skip takes free seats, and no booking loses a seat to it', async ({
    assert,
  }) => {
    const deadlocksBefore = await deadlocks()
    const met = { booked: 0, blocked: 0 }
    const staff = await StaffClient.signedIn('operations')
    for (let round = 0; round < ROUNDS; round++) {
      const event = await anEvent()
      const partners = await rivals(event, PARTNERS)
      const path = `/back-office/events/${event.id}/plan/blocks`
      const block = async () => {
        await sleep(Math.random() * 40)
        const asked = { seats: SMALL_HALL_SEATS, reason: 'The stage grows' }
        const { status } = await staff.send('POST', path, asked)
        return status
      }
      const [blocked, ...answers] = await Promise.all([
        block(),
        ...partners.flatMap(({ client }) =>
          Array.from({ length: AT_ONCE }, () => book(client, event.id, someSeats()))
        ),
      ])

      assert.equal(blocked, 302)
      const strange = answers.map(outcomeOf).filter((outcome) => !EXPECTED.has(outcome))
      assert.deepEqual(strange, [])
      const seats = await seatsOf(event.id)
      const booked = answers.filter(({ status }) => status === 201)
      const ofBookings = new Map(
        booked.flatMap(({ data }) =>
          (data.seats as { space_id: string }[]).map(({ space_id: id }) => [id, data.booking_id])
        )
      )
      assert.equal(ofBookings.size, booked.length * WANTED)
      for (const { space_id: id, state, held_by: holder } of seats) {
        if (ofBookings.has(id)) assert.deepEqual([state, holder], ['free', ofBookings.get(id)])
        else if (SMALL_HALL_SEATS.includes(id)) assert.deepEqual([state, holder], ['blocked', null])
        else assert.deepEqual([state, holder], ['free', null])
      }
      const [entry] = await rows(
        `SELECT change -> 'seats' AS seats FROM journal WHERE event_id = $1 AND name = 'seats_blocked'`,
        [event.id]
      )
      const blockedSeats = SMALL_HALL_SEATS.filter((id) => !ofBookings.has(id))
      assert.sameMembers(entry.seats, blockedSeats)
      met.booked += booked.length
      met.blocked += blockedSeats.length
      assert.deepEqual(await brokenRules(event.id), [])
    }
    assert.isAbove(Math.min(met.booked, met.blocked), 0, JSON.stringify(met))
    assert.equal(await deadlocks(), deadlocksBefore)
  }).timeout(90_000)

  test('a block that has waited for a seat leaves it to whoever holds it by now', async ({
    assert,
  }) => {
    const { id: eventId } = await anEvent()
    const holding = await db.transaction()
    await holding.rawQuery(
      `UPDATE event_seats SET held_by = 'crt_01kbzzzzzzzzzzzzzzzzzzzzzz', hold_until = clock_timestamp() + interval '1 hour'
        WHERE event_id = ? AND space_id = 'seat-1-1'`,
      [eventId]
    )
    const seats = ['seat-1-1', 'seat-1-2']
    const act = { eventId, seats, others: 'skip', reason: null, actor: TESTER } as const
    const blocked = new BlockSeats().handle(act)
    await untilSomebodyWaits()
    await holding.commit()

    assert.deepEqual(await blocked, { seats: ['seat-1-2'], skipped: 1 })
    const held = `SELECT count(*) FROM event_seats WHERE event_id = $1 AND state = 'free' AND held_by IS NOT NULL`
    assert.equal(await count(held, [eventId]), 1)
  })

  test('two people who block and unblock with skip count each seat once', async ({ assert }) => {
    const deadlocksBefore = await deadlocks()
    const { client, event } = await aSale()
    const act = { eventId: event.id, others: 'skip', reason: null, actor: TESTER } as const
    const change = async (index: number) => {
      const Act = index % 2 === 0 ? BlockSeats : UnblockSeats
      try {
        const { seats } = await new Act().handle({ ...act, seats: someSeats() })
        return index % 2 === 0 ? seats.length : -seats.length
      } catch (error) {
        if (error instanceof Refusal) return 0
        throw error
      }
    }
    const [changes] = await Promise.all([
      together(40, change),
      together(20, () => book(client, event.id, someSeats())),
    ])
    const sum = changes.reduce((total, one) => total + one, 0)
    const blocked = await count(
      `SELECT count(*) FROM event_seats WHERE event_id = $1 AND state = 'blocked'`,
      [event.id]
    )
    assert.equal(blocked, sum)
    assert.deepEqual(await brokenRules(event.id), [])
    assert.equal(await deadlocks(), deadlocksBefore)
  })
})
