import { passGate } from '#catalog/sale_gate'
import type { EventStatus } from '#catalog/event_status'
import type { Actor } from '#shared/actor'
import { record } from '#shared/journal'
import { newId } from '#shared/public_id'
import { refuse, refuseField } from '#shared/refusals'
import { statement } from '#shared/statement'
import { transaction } from '#shared/transaction'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

export interface StorefrontHold {
  eventId: string
  seats: string[]
  holdSeconds: number
  actor: Actor
}

export interface CartInput {
  eventId: string
  cartId: string
  actor: Actor
}

const enterGate = statement<{ status: EventStatus | null }, { eventId: string }>(
  'storefront_gate',
  passGate(':eventId')
)
const lockSeats = statement<
  { id: bigint; space_id: string; is_sellable: boolean },
  { eventId: string; seats: string[] }
>(
  'storefront_lock_seats',
  `SELECT id, space_id,
          price_tenge IS NOT NULL AND seat_status(state, hold_until, clock_timestamp()) = 'free' AS is_sellable
     FROM event_seats WHERE event_id = :eventId AND space_id = ANY(:seats::text[]) ORDER BY id FOR NO KEY UPDATE`
)
const holdSeats = statement<object, { seatIds: bigint[]; cartId: string; holdSeconds: number }>(
  'storefront_hold',
  `UPDATE event_seats SET held_by = :cartId, hold_until = clock_timestamp() + make_interval(secs => :holdSeconds::int)
    WHERE id = ANY(:seatIds::bigint[])`
)
// Only its own requests touch the seats of a cart; they are locked in the same order all the same.
const lockCart = statement<{ id: bigint; is_held: boolean }, { eventId: string; cartId: string }>(
  'storefront_lock_cart',
  `SELECT id, hold_until > clock_timestamp() AS is_held
     FROM event_seats WHERE event_id = :eventId AND held_by = :cartId AND state = 'free' ORDER BY id FOR NO KEY UPDATE`
)
const sellSeats = statement<object, { seatIds: bigint[] }>(
  'storefront_sell',
  `UPDATE event_seats SET state = 'sold', hold_until = NULL WHERE id = ANY(:seatIds::bigint[])`
)
const freeSeats = statement<object, { seatIds: bigint[] }>(
  'storefront_release',
  'UPDATE event_seats SET held_by = NULL, hold_until = NULL WHERE id = ANY(:seatIds::bigint[])'
)

/** Holds seats for a cart of the platform's own storefront: all or none, locked in id order like bookings. */
export class HoldForStorefront {
  async handle({
    eventId,
    seats,
    holdSeconds,
    actor,
  }: StorefrontHold): Promise<{ cartId: string }> {
    if (seats.length === 0) refuseField('seats', 'minLength', 'Name at least one seat')
    const cartId = newId('crt')
    await transaction(async (trx) => {
      await assertOpen(eventId, trx)
      const found = await lockSeats({ eventId, seats }, trx)
      const known = new Map(found.map((seat) => [seat.space_id, seat.is_sellable]))
      const unknown = seats.filter((id) => !known.has(id))
      if (unknown.length > 0) refuse('SEATS_UNKNOWN', { seats: unknown })
      const taken = seats.filter((id) => !known.get(id))
      if (taken.length > 0) refuse('SEATS_NOT_AVAILABLE', { seats: taken })
      await holdSeats({ seatIds: found.map((seat) => seat.id), cartId, holdSeconds }, trx)
      await record('storefront_held', { seats, cart_id: cartId }, { actor, eventId }, trx)
    })
    return { cartId }
  }
}

/** Sells the seats of a cart; refuses BOOKING_EXPIRED when any of its holds has expired. */
export class SellToStorefront {
  async handle({ eventId, cartId, actor }: CartInput): Promise<{ seats: number }> {
    return transaction(async (trx) => {
      await assertOpen(eventId, trx)
      const seats = await lockCart({ eventId, cartId }, trx)
      if (seats.length === 0 || !seats.every((seat) => seat.is_held)) refuse('BOOKING_EXPIRED')
      await sellSeats({ seatIds: seats.map((seat) => seat.id) }, trx)
      const details = { cart_id: cartId, seats: seats.length }
      await record('storefront_sold', details, { actor, eventId }, trx)
      return { seats: seats.length }
    })
  }
}

/** Puts the seats of a cart back on sale at once; a cart without holds is left as it is. */
export class ReleaseFromStorefront {
  async handle({ eventId, cartId, actor }: CartInput): Promise<{ seats: number }> {
    return transaction(async (trx) => {
      const seats = await lockCart({ eventId, cartId }, trx)
      if (seats.length === 0) return { seats: 0 }
      await freeSeats({ seatIds: seats.map((seat) => seat.id) }, trx)
      const details = { cart_id: cartId, seats: seats.length }
      await record('storefront_released', details, { actor, eventId }, trx)
      return { seats: seats.length }
    })
  }
}

async function assertOpen(eventId: string, trx: TransactionClientContract) {
  const { status } = await enterGate.one({ eventId }, trx)
  if (status === null) refuse('EVENT_NOT_FOUND')
  if (status === 'sales_paused') refuse('SALES_PAUSED')
  if (status !== 'sales_open') refuse('SALES_NOT_OPEN')
}
