import ChangeEventStatus from '#catalog/actions/change_event_status'
import CancelEvent from '#sales/cancel_event/cancel_event'
import { refuseField } from '#shared/refusals'
import { args, flags } from '@adonisjs/core/ace'
import { CoreCommand } from '#console/core_command'

const TRIGGERS = ['open', 'pause', 'close', 'cancel'] as const

export default class EventStatus extends CoreCommand {
  static commandName = 'event:status'
  static description = 'Open, pause or close sales of an event, or cancel it for good'

  @args.string({ description: 'evt_…' })
  declare event: string

  @args.string({ description: TRIGGERS.join(', ') })
  declare trigger: string

  @flags.string({ description: 'Reason; partners receive it when an event is cancelled' })
  declare reason?: string

  protected async perform() {
    const { event: eventId, actor, reason } = this
    const trigger = TRIGGERS.find((one) => one === this.trigger)
    if (!trigger) refuseField('trigger', 'enum', `must be one of ${TRIGGERS.join(', ')}`)
    if (trigger !== 'cancel') {
      const status = await new ChangeEventStatus().handle({
        eventId,
        trigger,
        reason: reason ?? null,
        actor,
      })
      return this.logger.success(status) as unknown as void
    }
    if (!reason) refuseField('reason', 'required', 'a cancellation needs --reason')
    const { tickets_voided: tickets, bookings_expired: bookings } = await new CancelEvent().handle({
      eventId,
      reason,
      actor,
    })
    this.logger.success(`cancelled: ${tickets} tickets void, ${bookings} bookings expired`)
  }
}
