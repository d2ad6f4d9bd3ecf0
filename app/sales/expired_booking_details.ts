/** SQL of the details of `booking_expired`: when the booking ran out, and the seats that are free again. */
export const expiredBookingDetails = (expiredAt: string, bookingId: string) => ({
  expired_at: expiredAt,
  seats: `(SELECT jsonb_agg(space_id ORDER BY position) FROM booking_seats WHERE booking_id = ${bookingId})`,
})
