import ChangePartnerStatus from '#partners/actions/change_partner_status'
import { args, flags } from '@adonisjs/core/ace'
import { CoreCommand } from '#console/core_command'

export default class PartnerResume extends CoreCommand {
  static commandName = 'partner:resume'
  static description = 'Let a suspended partner sell again'

  @args.string({ description: 'Code of the partner' })
  declare code: string

  @flags.string({ description: 'Reason' })
  declare reason?: string

  protected async perform() {
    const { code: partnerCode, reason = null, actor } = this
    await new ChangePartnerStatus().handle({ partnerCode, to: 'active', reason, actor })
    this.logger.success(`${partnerCode} is active`)
  }
}
