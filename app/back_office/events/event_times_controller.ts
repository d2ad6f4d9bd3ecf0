import { timesOf, timesValidator } from '#back_office/events/event_form'
import { redirectWithNotice } from '#staff_area/redirect_with_notice'
import RescheduleEvent from '#catalog/actions/reschedule_event'
import { readInstant } from '#shared/instants'
import { isId } from '#shared/public_id'
import { refuse } from '#shared/refusals'
import type { HttpContext } from '@adonisjs/core/http'

/** Reschedules an event. */
export default class EventTimesController {
  async update(ctx: HttpContext) {
    const { seenStart: seen, reason, ...sent } = await ctx.request.validateUsing(timesValidator)
    const eventId = String(ctx.params.id)
    if (!isId('evt', eventId)) refuse('EVENT_NOT_FOUND')
    const seenStart = readInstant(seen)?.at
    const about = { eventId, seenStart, reason, actor: ctx.actor }
    await new RescheduleEvent().handle({ ...about, ...timesOf(sent, seenStart) })
    return redirectWithNotice(ctx, 'events.rescheduled')
  }
}
