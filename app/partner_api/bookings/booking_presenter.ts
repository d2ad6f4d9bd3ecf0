import type { BookedSeat, Booking } from '#sales/queries/find_booking'
import { atOffset } from '#shared/instants'

export const presentSeats = (seats: BookedSeat[]) =>
  seats.map((seat) => ({
    space_id: seat.spaceId,
    price_tenge: Number(seat.priceTenge),
    category_code: seat.categoryCode,
  }))

/** A Booking of the contract; `order_id` only once converted. */
export function presentBooking(booking: Booking) {
  return {
    booking_id: booking.id,
    partner_booking_id: booking.partnerBookingId,
    event_id: booking.eventId,
    status: booking.status,
    seats: presentSeats(booking.seats),
    customer: booking.customer,
    total_tenge: Number(booking.totalTenge),
    currency: 'KZT',
    ttl_seconds: booking.ttlSeconds,
    expires_at: atOffset(booking.expiresAt, booking.offsetMinutes),
    created_at: atOffset(booking.createdAt, booking.offsetMinutes),
    ...(booking.orderId && { order_id: booking.orderId }),
  }
}
