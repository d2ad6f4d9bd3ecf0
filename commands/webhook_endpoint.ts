import SetEndpoint from '#webhooks/actions/set_endpoint'
import { args } from '@adonisjs/core/ace'
import { CoreCommand } from '#console/core_command'

export default class WebhookEndpoint extends CoreCommand {
  static commandName = 'webhook:endpoint'
  static description =
    "Set the URL of a partner's webhooks; a disabled endpoint becomes active again"

  @args.string({ description: 'Code of the partner' })
  declare code: string

  @args.string({ description: 'https://… of the partner' })
  declare url: string

  protected async perform() {
    const input = { partnerCode: this.code, url: this.url, actor: this.actor }
    const { url } = await new SetEndpoint().handle(input)
    this.logger.success(`${this.code} receives webhooks at ${url}`)
  }
}
