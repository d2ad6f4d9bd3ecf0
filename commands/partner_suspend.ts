import ChangePartnerStatus from '#partners/actions/change_partner_status'
import { args, flags } from '@adonisjs/core/ace'
import { CoreCommand } from '#console/core_command'

export default class PartnerSuspend extends CoreCommand {
  static commandName = 'partner:suspend'
  static description = 'Suspend a partner; its existing orders stay valid until their window ends'

  @args.string({ description: 'Code of the partner' })
  declare code: string

  @flags.string({ description: 'Reason' })
  declare reason?: string

  protected async perform() {
    const { code: partnerCode, reason = null, actor } = this
    await new ChangePartnerStatus().handle({ partnerCode, to: 'suspended', reason, actor })
    this.logger.success(`${partnerCode} is suspended`)
  }
}
