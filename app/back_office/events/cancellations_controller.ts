import { findEvent } from '#back_office/events/read_event'
import { messages, reason } from '#staff_area/form_fields'
import { redirectWithNotice } from '#staff_area/redirect_with_notice'
import RequestCancellation from '#sales/cancel_event/request_cancellation'
import CancelEvent from '#sales/cancel_event/cancel_event'
import type { HttpContext } from '@adonisjs/core/http'
import vine from '@vinejs/vine'

const cancelValidator = vine.create({
  reason: reason(),
  /** What the page announced: a request to a second person (true), or the cancellation at once. */
  asks: vine.boolean(),
})
cancelValidator.messagesProvider = messages

/** Cancels an event, or requests it from a second person. */
export default class CancellationsController {
  async store(ctx: HttpContext) {
    const { reason: why, asks } = await ctx.request.validateUsing(cancelValidator)
    const { id: eventId } = await findEvent(String(ctx.params.id))
    const input = { eventId, reason: why, actor: ctx.actor }
    if (asks) {
      await new RequestCancellation().handle(input)
      return redirectWithNotice(ctx, 'events.cancellation_asked')
    }
    const { tickets_voided: tickets } = await new CancelEvent().handle(input)
    return redirectWithNotice(ctx, tickets > 0 ? 'events.cancelled' : 'events.is_cancelled', {
      tickets,
    })
  }
}
