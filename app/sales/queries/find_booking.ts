import type { CategoryCode } from '#catalog/event_status'
import type { BookingStatus } from '#sales/booking_status'
import type { Customer } from '#sales/customer'
import { statement } from '#shared/statement'

export interface BookedSeat {
  spaceId: string
  priceTenge: bigint
  categoryCode: CategoryCode
}

export interface Booking {
  id: string
  partnerBookingId: string
  eventId: string
  status: BookingStatus
  seats: BookedSeat[]
  customer: Customer | null
  /** The customer is a pseudonym: the buyer was erased. */
  isBuyerErased: boolean
  totalTenge: bigint
  ttlSeconds: number
  createdAt: Date
  expiresAt: Date
  orderId: string | null
  offsetMinutes: number
}

export interface SeatJson {
  space_id: string
  price_tenge: number
  category_code: CategoryCode
}

export interface BookingRow {
  id: string
  partner_booking_id: string
  event_id: string
  status: BookingStatus
  seats: SeatJson[]
  customer: Customer | null
  is_buyer_erased: boolean
  total_tenge: bigint
  ttl_seconds: number
  created_at: Date
  expires_at: Date
  order_id: string | null
  utc_offset_minutes: number
}

export const toBookedSeat = (seat: SeatJson): BookedSeat => ({
  spaceId: seat.space_id,
  priceTenge: BigInt(seat.price_tenge),
  categoryCode: seat.category_code,
})

export const toBooking = (row: BookingRow): Booking => ({
  id: row.id,
  partnerBookingId: row.partner_booking_id,
  eventId: row.event_id,
  status: row.status,
  seats: row.seats.map(toBookedSeat),
  customer: row.customer,
  isBuyerErased: row.is_buyer_erased,
  totalTenge: row.total_tenge,
  ttlSeconds: row.ttl_seconds,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  orderId: row.order_id,
  offsetMinutes: row.utc_offset_minutes,
})

export const BOOKED_SEATS = `(
  SELECT json_agg(json_build_object(
           'space_id', bs.space_id, 'price_tenge', bs.price_tenge, 'category_code', bs.category_code)
         ORDER BY bs.position)
    FROM booking_seats bs WHERE bs.booking_id = b.id)`

/** Expiry is a reading of the clock: the sweep that stores it may come later. */
export const BOOKING_STATUS = `
  CASE WHEN b.stored_status = 'active' AND b.expires_at <= clock_timestamp() THEN 'expired'
       ELSE b.stored_status END`

const selectBooking = statement<BookingRow, { partnerId: number; partnerBookingId: string }>(
  'booking_by_key',
  `SELECT b.id, b.partner_booking_id, b.event_id, ${BOOKING_STATUS} AS status, ${BOOKED_SEATS} AS seats,
          b.customer, b.buyer_erased_at IS NOT NULL AS is_buyer_erased, b.total_tenge, b.ttl_seconds, b.created_at, b.expires_at, b.order_id,
          v.utc_offset_minutes
     FROM bookings b JOIN events e ON e.id = b.event_id JOIN venues v ON v.id = e.venue_id
    WHERE b.partner_id = :partnerId AND b.partner_booking_id = :partnerBookingId`
)

/** The partner's booking under its own key, in its current state. */
export async function findBooking(partnerId: number, partnerBookingId: string) {
  const rows = await selectBooking({ partnerId, partnerBookingId })
  return rows.map(toBooking).at(0)
}
