import ChangeGrant from '#partners/actions/change_grant'
import { args, flags } from '@adonisjs/core/ace'
import { CoreCommand } from '#console/core_command'

export default class GrantRevoke extends CoreCommand {
  static commandName = 'grant:revoke'
  static description = "Revoke a partner's grant; sold tickets stay valid"

  @args.string({ description: 'Code of the partner' })
  declare code: string

  @args.string({ description: 'evt_…' })
  declare event: string

  @flags.string({ description: 'Reason' })
  declare reason?: string

  protected async perform() {
    const { code: partnerCode, event: eventId, reason = null, actor } = this
    await new ChangeGrant().handle({ partnerCode, eventId, access: 'revoked', reason, actor })
    this.logger.success(`${partnerCode}: revoked on ${eventId}`)
  }
}
