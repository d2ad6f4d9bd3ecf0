import { messages, reason } from '#staff_area/form_fields'
import { redirectWithNotice } from '#staff_area/redirect_with_notice'
import { ApproveCancellation, DeclineCancellation } from '#sales/cancel_event/decide_cancellation'
import { refuse } from '#shared/refusals'
import type { HttpContext } from '@adonisjs/core/http'
import vine from '@vinejs/vine'

const declineValidator = vine.create({ reason: reason() })
declineValidator.messagesProvider = messages

/** The second person approves or declines a requested cancellation. */
export default class CancellationDecisionsController {
  async store(ctx: HttpContext) {
    const decision = { requestId: requestOf(ctx), actor: ctx.actor }
    const { tickets_voided: tickets } = await new ApproveCancellation().handle(decision)
    return redirectWithNotice(ctx, tickets > 0 ? 'events.cancelled' : 'events.is_cancelled', {
      tickets,
    })
  }

  async destroy(ctx: HttpContext) {
    const { reason: why } = await ctx.request.validateUsing(declineValidator)
    await new DeclineCancellation().handle({
      requestId: requestOf(ctx),
      reason: why,
      actor: ctx.actor,
    })
    return redirectWithNotice(ctx, 'events.cancellation_declined')
  }
}

const requestOf = ({ params }: HttpContext) =>
  /^\d{1,9}$/.test(String(params.request))
    ? Number(params.request)
    : refuse('NO_SUCH', { what: 'request' })
