import type { EventStatus } from '#catalog/event_status'
import { bookSeats, type BookingRequest, type FoundSeat } from '#sales/hold_seats/hold_seats_sql'
import { findBooking, toBookedSeat, type Booking } from '#sales/queries/find_booking'
import { assertSameBooking } from '#sales/same_request'
import { isId, newId } from '#shared/public_id'
import { refuse } from '#shared/refusals'
import { statement } from '#shared/statement'

interface Circumstances {
  is_repeat: boolean
  event_id: string | null
  status: EventStatus
  access: 'active' | 'revoked' | null
  is_suspended: boolean
  max_seats_per_booking: number
}

const selectCircumstances = statement<
  Circumstances,
  { partnerId: number; partnerBookingId: string; asked: string | null }
>(
  'booking_circumstances',
  `SELECT EXISTS (SELECT 1 FROM bookings WHERE partner_id = :partnerId AND partner_booking_id = :partnerBookingId) AS is_repeat,
          e.id AS event_id, g.access, p.status = 'suspended' AS is_suspended, e.max_seats_per_booking,
          event_status(e.stored_status, e.sales_start_at, e.starts_at, now()) AS status
     FROM (VALUES (:asked::text)) asked (event_id) JOIN partners p ON p.id = :partnerId
     LEFT JOIN events e ON e.id = asked.event_id
     LEFT JOIN event_grants g ON g.event_id = e.id AND g.partner_id = :partnerId`
)

type FixedAtBooking = { id: string } & NonNullable<Awaited<ReturnType<typeof bookSeats>>['booking']>

/** An attempt is repeated when something changed between it and the look at the reason; more often than this is overload. */
const MAX_ATTEMPTS = 3

/**
 * POST /bookings: all the seats or none, prices fixed now.
 * Attempted first, in one round trip; the reason is looked up only when nothing was held. The idempotency key comes
 * before any other reason, so that a repeat answers 200, and so does a concurrent duplicate.
 */
export default class HoldSeats {
  async handle(input: BookingRequest): Promise<{ booking: Booking; repeated: boolean }> {
    for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts++) {
      const attempt = await this.#attempt(input)
      if (attempt?.booking) return { booking: attempt.booking, repeated: false }

      const circumstances = await this.#readCircumstances(input)
      if (circumstances.is_repeat) return this.#repeat(input)
      this.#assertMayBook(input, circumstances)
      if (attempt?.mayBook) this.#refuseSeats(input.seats, attempt.found)
    }
    return refuse('SERVICE_BUSY', { retry_after: 1 })
  }

  async #attempt(input: BookingRequest) {
    if (input.partner.isSuspended || !isId('evt', input.eventId)) return null
    const id = newId('bkg')
    const { booking, found, mayBook } = await bookSeats(input, id)
    return { booking: booking && this.#present(input, found, { id, ...booking }), found, mayBook }
  }

  #readCircumstances({ partner, partnerBookingId, eventId }: BookingRequest) {
    const asked = isId('evt', eventId) ? eventId : null
    return selectCircumstances.one({ partnerId: partner.id, partnerBookingId, asked })
  }

  async #repeat(input: BookingRequest) {
    const booking = (await findBooking(input.partner.id, input.partnerBookingId))!
    const seats = booking.seats.map((seat) => seat.spaceId)
    assertSameBooking({ ...booking, seats }, input)
    return { booking, repeated: true }
  }

  #assertMayBook({ partner, seats }: BookingRequest, event: Circumstances) {
    if (partner.isSuspended || event.is_suspended) refuse('PARTNER_DISABLED')
    if (event.event_id === null) refuse('EVENT_NOT_FOUND')
    if (event.access !== 'active') refuse('ACCESS_DENIED')
    if (event.status === 'sales_paused') refuse('SALES_PAUSED')
    if (event.status !== 'sales_open') refuse('SALES_NOT_OPEN')
    const limit = event.max_seats_per_booking
    if (seats.length > limit) refuse('BOOKING_LIMIT_EXCEEDED', { limit, requested: seats.length })
  }

  #present(input: BookingRequest, found: FoundSeat[], fixed: FixedAtBooking): Booking {
    const bySpace = new Map(found.map((seat) => [seat.space_id, seat]))
    return {
      id: fixed.id,
      createdAt: fixed.created_at,
      expiresAt: fixed.expires_at,
      totalTenge: fixed.total_tenge,
      offsetMinutes: fixed.utc_offset_minutes,
      partnerBookingId: input.partnerBookingId,
      eventId: input.eventId,
      status: 'active',
      seats: input.seats.map((id) => toBookedSeat(bySpace.get(id)!)),
      customer: input.customer,
      isBuyerErased: false,
      ttlSeconds: input.partner.holdSeconds,
      orderId: null,
    }
  }

  /** Unknown seats are refused before taken ones; each list is in the order sent. */
  #refuseSeats(asked: string[], found: FoundSeat[]): never {
    const known = new Map(found.map((seat) => [seat.space_id, seat.is_sellable]))
    const unknown = asked.filter((id) => !known.has(id))
    if (unknown.length > 0) refuse('SEATS_UNKNOWN', { seats: unknown })
    return refuse('SEATS_NOT_AVAILABLE', { seats: asked.filter((id) => !known.get(id)) })
  }
}
