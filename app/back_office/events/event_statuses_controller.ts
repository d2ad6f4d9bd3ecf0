import { messages, reason } from '#staff_area/form_fields'
import { redirectWithNotice } from '#staff_area/redirect_with_notice'
import ChangeEventStatus from '#catalog/actions/change_event_status'
import { EVENT_STATUSES } from '#catalog/event_status'
import { isId } from '#shared/public_id'
import { refuse } from '#shared/refusals'
import type { HttpContext } from '@adonisjs/core/http'
import vine from '@vinejs/vine'

const statusValidator = vine.create({
  trigger: vine.enum(['open', 'pause', 'close'] as const),
  seen: vine.enum(EVENT_STATUSES),
  reason: reason(),
})
statusValidator.messagesProvider = messages

/** Opens, pauses and closes sales. */
export default class EventStatusesController {
  async update(ctx: HttpContext) {
    const input = await ctx.request.validateUsing(statusValidator)
    const eventId = String(ctx.params.id)
    if (!isId('evt', eventId)) refuse('EVENT_NOT_FOUND')
    const status = await new ChangeEventStatus().handle({ ...input, eventId, actor: ctx.actor })
    return redirectWithNotice(ctx, `events.now_${status}`)
  }
}
