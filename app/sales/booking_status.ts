import type { Transitions } from '#shared/transitions'

export type BookingStatus = 'active' | 'expired' | 'converted'
export type BookingTrigger = 'order' | 'expire'

/** Contract, States and transitions, Booking. */
export const BOOKING_TRANSITIONS: Transitions<BookingStatus, BookingTrigger> = {
  active: { order: 'converted', expire: 'expired' },
  expired: {},
  converted: {},
}
