import { findEvent } from '#back_office/events/read_event'
import { messages, reason } from '#staff_area/act_validator'
import { done } from '#staff_area/done'
import RequestCancellation from '#sales/cancel_event/request_cancellation'
import CancelEvent from '#sales/cancel_event/cancel_event'
import type { HttpContext } from '@adonisjs/core/http'
import vine from '@vinejs/vine'

const cancelValidator = vine.create({
  reason: reason(),
  /** What the page said would happen: a request to a second person, or the cancellation at once. */
  asks: vine.boolean(),
})
cancelValidator.messagesProvider = messages

/** Cancels an event for good, or asks a second person to. */
export default class CancellationsController {
  async store(ctx: HttpContext) {
    const { reason: why, asks } = await ctx.request.validateUsing(cancelValidator)
    const { id: eventId } = await findEvent(String(ctx.params.id))
    const input = { eventId, reason: why, actor: ctx.actor }
    if (asks) {
      await new RequestCancellation().handle(input)
      return done(ctx, 'events.cancellation_asked')
    }
    const { tickets_voided: tickets } = await new CancelEvent().handle(input)
    return done(ctx, tickets > 0 ? 'events.cancelled' : 'events.is_cancelled', { tickets })
  }
}
