import { answerCreated } from '#partner_api/envelope'
import { presentBooking } from '#partner_api/bookings/booking_presenter'
import { customer, refuseNull } from '#partner_api/customer_validator'
import { check, text } from '#partner_api/validation'
import HoldSeats from '#sales/hold_seats/hold_seats'
import { keepCustomer } from '#sales/customer'
import type { HttpContext } from '@adonisjs/core/http'
import vine from '@vinejs/vine'

/** The schema ceiling of phase 1; an event's own limit is lower (contract, POST /bookings). */
const MAX_SEATS = 20

export const bookingValidator = vine.create({
  event_id: text(1, 64),
  partner_booking_id: text(1, 64),
  seats: vine.array(text(1, 64)).minLength(1).maxLength(MAX_SEATS).distinct(),
  customer: customer().optional(),
})

export default class BookingsController {
  async store(ctx: HttpContext) {
    refuseNull('customer', ctx.body.customer)
    const body = await check(bookingValidator, ctx.body)
    const { booking, repeated } = await new HoldSeats().handle({
      partner: ctx.partner,
      actor: ctx.actor,
      partnerBookingId: body.partner_booking_id,
      eventId: body.event_id,
      seats: body.seats,
      customer: keepCustomer(body.customer),
    })
    return answerCreated(ctx, presentBooking(booking), repeated)
  }
}
