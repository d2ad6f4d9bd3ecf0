import { HoldForStorefront, SellToStorefront } from '#inventory/actions/storefront'
import { Refusal } from '#shared/refusals'
import { TESTER, aPartner, aSale, book, grant, order, paymentOf } from '#tests/support/fixtures'
import type { TestPartner } from '#tests/support/fixtures'
import { takenSeats } from '#tests/support/rows'
import { test } from '@japa/runner'
import { randomUUID } from 'node:crypto'
import { BIG_HALL_SEATS, aBigEvent } from './support/big_hall.js'
import { between, crowd } from './support/crowd.js'
import { failuresOf } from './support/failures.js'
import { brokenRules } from './support/invariants.js'
import { rivals } from './support/sales.js'
import { count, rows } from './support/sql.js'

const ATTEMPTS = Number(process.env.STAMPEDE_ATTEMPTS ?? 3_000)
const AT_ONCE = 200
const MAX_SEATS = 4
const SHARE_OF_STOREFRONT = 0.1
const SHARE_THAT_PAYS = 0.7

test.group('Many buyers of the same seats', () => {
  test(`${ATTEMPTS} attempts at 500 seats: no seat is sold twice, no hold is partial, nothing fails`, async ({
    assert,
  }) => {
    const event = await aBigEvent()
    const partners = await rivals(event, 3)
    const outcomes: Record<string, number> = {}
    const slowest: number[] = []
    const countOutcome = (outcome: string) => (outcomes[outcome] = (outcomes[outcome] ?? 0) + 1)

    const began = performance.now()
    const attempts = Array.from({ length: ATTEMPTS }, (_, index) => async () => {
      const startedAt = performance.now()
      const seats = someSeats()
      if (Math.random() < SHARE_OF_STOREFRONT) countOutcome(await buyAtStorefront(event.id, seats))
      else countOutcome(await buyFrom(partners[index % partners.length], event.id, seats))
      slowest.push(performance.now() - startedAt)
    })
    const failures = await failuresOf(() => crowd(attempts, AT_ONCE))
    const seconds = (performance.now() - began) / 1000

    const soldSeats = await count(
      `SELECT count(*) FROM event_seats WHERE event_id = $1 AND state = 'sold'`,
      [event.id]
    )
    slowest.sort((a, b) => a - b)
    const p99 = slowest[Math.floor(slowest.length * 0.99)]
    const figures = `${JSON.stringify(outcomes)}; ${soldSeats} seats sold; ${Math.round(ATTEMPTS / seconds)} attempts/s, p99 ${Math.round(p99)} ms`
    if (process.env.STAMPEDE_ATTEMPTS) console.log(figures)

    const expected = ['paid', 'storefront sold', '409 SEATS_NOT_AVAILABLE', 'left']
    assert.deepEqual(
      Object.keys(outcomes).filter((outcome) => !expected.includes(outcome)),
      [],
      figures
    )
    assert.deepEqual(failures, {}, figures)
    assert.isAtMost(soldSeats, BIG_HALL_SEATS.length)
    assert.isAbove(soldSeats, BIG_HALL_SEATS.length / 2)
    assert.deepEqual(await brokenRules(event.id), [])
    assert.deepEqual(await storefrontSeatsSoldToPartners(event.id), [])
  }).timeout(120_000)

  test('two bookings of seats 2, 1 and 3, 2: one holds both of its seats, the other none', async ({
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

function someSeats() {
  const first = between(0, BIG_HALL_SEATS.length - MAX_SEATS)
  const seats = BIG_HALL_SEATS.slice(first, first + between(1, MAX_SEATS))
  // In any order, so that locks taken in the order sent would deadlock.
  return Math.random() < 0.5 ? seats : seats.reverse()
}

/** Books, orders and mostly pays; the others leave with their seats held. */
async function buyFrom({ client }: TestPartner, eventId: string, seats: string[]) {
  const own = randomUUID()
  const booking = await book(client, eventId, seats, { partner_booking_id: own })
  if (booking.status !== 201) return `${booking.status} ${booking.error?.code}`
  const { booking_id: bookingId } = booking.data
  const placed = await order(client, bookingId, { partner_order_id: own })
  if (placed.status !== 201) return `order ${placed.status} ${placed.error?.code}`
  if (Math.random() > SHARE_THAT_PAYS) {
    const cancelled = await client.post(`/orders/${placed.data.order_id}/cancel`)
    return cancelled.status === 200 ? 'left' : `cancel ${cancelled.status}`
  }
  const path = `/orders/${placed.data.order_id}/confirm`
  const payment = paymentOf(placed.data.total_tenge)
  const paid = await client.post(path, payment)
  return paid.status === 200 && paid.data.tickets.length === seats.length
    ? 'paid'
    : `confirm ${paid.status} ${paid.error?.code}`
}

async function buyAtStorefront(eventId: string, seats: string[]) {
  try {
    const { cartId } = await new HoldForStorefront().handle({
      eventId,
      seats,
      holdSeconds: 60,
      actor: TESTER,
    })
    await new SellToStorefront().handle({ eventId, cartId, actor: TESTER })
    return 'storefront sold'
  } catch (error) {
    if (error instanceof Refusal) return `${error.status} ${error.refusalCode}`
    throw error
  }
}

/** Seats that a cart has, and that some partner has a live ticket for. */
const storefrontSeatsSoldToPartners = (eventId: string) =>
  rows(
    `SELECT s.space_id FROM event_seats s JOIN tickets t ON t.event_seat_id = s.id AND t.status <> 'void'
      WHERE s.event_id = $1 AND s.held_by LIKE 'crt%'`,
    [eventId]
  )
