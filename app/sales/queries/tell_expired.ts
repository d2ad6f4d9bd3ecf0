/** What the journal tells of an expired booking: when it ran out, and the seats that are free again. */
export const tellExpired = (expiredAt: string, bookingId: string) => `
  jsonb_build_object('expired_at', ${expiredAt}, 'seats',
    (SELECT jsonb_agg(space_id ORDER BY position) FROM booking_seats WHERE booking_id = ${bookingId}))`
