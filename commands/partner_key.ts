import IssueKey from '#partners/actions/issue_key'
import RevokeKey from '#partners/actions/revoke_key'
import { args, flags } from '@adonisjs/core/ace'
import { CoreCommand } from '#console/core_command'

export default class PartnerKey extends CoreCommand {
  static commandName = 'partner:key'
  static description = 'Issue one more key for a partner, or revoke one'

  @args.string({ description: 'Code of the partner' })
  declare code: string

  @flags.string({ description: 'The API key to revoke, instead of issuing one' })
  declare revoke?: string

  protected async perform() {
    if (this.revoke) {
      const { revoke: apiKey, code: partnerCode, actor } = this
      await new RevokeKey().handle({ apiKey, partnerCode, actor })
      this.logger.success(`revoked ${this.revoke}`)
      return
    }
    const { apiKey, secret } = await new IssueKey().handle({
      partnerCode: this.code,
      actor: this.actor,
    })
    this.logger.log(`API key ${apiKey}\nsecret  ${secret} (shown once)`)
  }
}
