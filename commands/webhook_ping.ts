import PingEndpoint from '#webhooks/actions/ping_endpoint'
import { args } from '@adonisjs/core/ace'
import { CoreCommand } from '#console/core_command'

export default class WebhookPing extends CoreCommand {
  static commandName = 'webhook:ping'
  static description = "Send a signed test delivery to a partner's endpoint"

  @args.string({ description: 'Code of the partner' })
  declare code: string

  protected async perform() {
    const { webhookId } = await new PingEndpoint().handle({ partnerCode: this.code })
    this.logger.success(webhookId)
  }
}
