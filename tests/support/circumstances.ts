import ChangeEventStatus from '#catalog/actions/change_event_status'
import { setPrices } from '#catalog/event_prices'
import type { CategoryCode } from '#catalog/event_status'
import { BlockSeats } from '#inventory/actions/block_seats'
import { HoldForStorefront, SellToStorefront } from '#inventory/actions/storefront'
import ChangePartnerStatus from '#partners/actions/change_partner_status'
import CancelEvent from '#sales/cancel_event/cancel_event'
import { TESTER, type TestPartner } from '#tests/support/fixtures'
import { ownerRows } from '#tests/support/rows'
import db from '@adonisjs/lucid/services/db'

type EventRef = { id: string }

/** Lets a booking run out: its row and the hold on its seats end a second ago. */
export async function lapseBooking(bookingId: string) {
  await ownerRows(
    `UPDATE bookings SET expires_at = clock_timestamp() - interval '1 second' WHERE id = ?`,
    bookingId
  )
  await lapseHold(bookingId)
}

/** Lets the payment window of an order run out, with the hold on its seats. */
export async function lapseOrder(orderId: string) {
  const [order] = await ownerRows(
    `UPDATE orders SET window_ends_at = clock_timestamp() - interval '1 second'
      WHERE id = ? RETURNING booking_id`,
    orderId
  )
  await lapseHold(order.booking_id)
}

const lapseHold = (bookingId: string) =>
  ownerRows(
    `UPDATE event_seats SET hold_until = clock_timestamp() - interval '1 second' WHERE held_by = ?`,
    bookingId
  )

export const changeStatus = ({ id: eventId }: EventRef, trigger: 'open' | 'pause' | 'close') =>
  new ChangeEventStatus().handle({ eventId, trigger, reason: null, actor: TESTER })

export const cancelEvent = ({ id: eventId }: EventRef) =>
  new CancelEvent().handle({ eventId, reason: 'Болезнь солиста', actor: TESTER })

const changePartner = (to: 'active' | 'suspended') => (partner: TestPartner) =>
  new ChangePartnerStatus().handle({ partnerCode: partner.code, to, reason: null, actor: TESTER })
export const suspend = changePartner('suspended')
export const resume = changePartner('active')

export const block = ({ id: eventId }: EventRef, ...seats: string[]) =>
  new BlockSeats().handle({ eventId, seats, reason: null, actor: TESTER })

/** A buyer on the platform's own storefront holds the seats. */
export const storefrontHolds = ({ id: eventId }: EventRef, ...seats: string[]) =>
  new HoldForStorefront().handle({ eventId, seats, holdSeconds: 60, actor: TESTER })

export async function storefrontSells(event: EventRef, ...seats: string[]) {
  const { cartId } = await storefrontHolds(event, ...seats)
  await new SellToStorefront().handle({ eventId: event.id, cartId, actor: TESTER })
}

export const reprice = ({ id: eventId }: EventRef, prices: Partial<Record<CategoryCode, bigint>>) =>
  db.transaction((trx) => setPrices(eventId, prices, trx))

/** Moves the event in time without any other change: `-1 hour` has it begun. */
export const moveStart = ({ id }: EventRef, from: string) =>
  ownerRows(
    `UPDATE events SET starts_at = now() + ?::interval, ends_at = now() + ?::interval + interval '3 hours'
      WHERE id = ?`,
    from,
    from,
    id
  )
