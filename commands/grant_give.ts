import ChangeGrant from '#partners/actions/change_grant'
import { args, flags } from '@adonisjs/core/ace'
import { CoreCommand } from '#console/core_command'

export default class GrantGive extends CoreCommand {
  static commandName = 'grant:give'
  static description = 'Give a partner a grant on an event'

  @args.string({ description: 'Code of the partner' })
  declare code: string

  @args.string({ description: 'evt_…' })
  declare event: string

  @flags.string({ description: 'Reason' })
  declare reason?: string

  protected async perform() {
    const { code: partnerCode, event: eventId, reason = null, actor } = this
    await new ChangeGrant().handle({ partnerCode, eventId, access: 'active', reason, actor })
    this.logger.success(`${partnerCode}: active on ${eventId}`)
  }
}
