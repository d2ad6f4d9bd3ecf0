import ReplayDeliveries from '#webhooks/actions/replay_deliveries'
import { args, flags } from '@adonisjs/core/ace'
import { CoreCommand } from '#console/core_command'
import { readInstant } from '#shared/instants'
import { refuseField } from '#shared/refusals'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export default class WebhookReplay extends CoreCommand {
  static commandName = 'webhook:replay'
  static description = 'Send deliveries again: the given ones, or all that failed or were held'

  @args.string({ description: 'Code of the partner' })
  declare code: string

  @args.spread({ description: 'Delivery ids', required: false })
  declare ids?: string[]

  @flags.string({ description: 'Only those created since then (ISO 8601 with offset)' })
  declare since?: string

  protected async perform() {
    const ids = this.ids ?? []
    const wrong = ids.find((id) => !UUID.test(id))
    if (wrong !== undefined) refuseField('ids', 'uuid', `${wrong} is not a delivery id`)
    const count = await new ReplayDeliveries().handle({
      partnerCode: this.code,
      webhookIds: ids.length > 0 ? ids : null,
      since: this.#since(),
      actor: this.actor,
    })
    this.logger.success(`${count} to be sent again`)
  }

  #since() {
    if (this.since === undefined) return null
    const instant = readInstant(this.since)
    if (!instant) return refuseField('since', 'instant', 'is not a moment with its offset')
    return instant.at
  }
}
