import CreatePartner from '#partners/actions/create_partner'
import IssueKey from '#partners/actions/issue_key'
import { args, flags } from '@adonisjs/core/ace'
import { CoreCommand } from '#console/core_command'

export default class PartnerCreate extends CoreCommand {
  static commandName = 'partner:create'
  static description = 'Create a partner with its first key; the secret is shown once'

  @args.string({ description: 'Short code, e.g. kino-kz' })
  declare code: string

  @flags.string({ description: 'Name', required: true })
  declare name: string
  @flags.number({ description: 'Requests per minute' })
  declare requestsPerMinute?: number
  @flags.number({ description: 'Requests in flight at once' })
  declare requestsInFlight?: number
  @flags.number({ description: 'Pending orders at once' })
  declare pendingOrders?: number
  @flags.number({ description: 'Booking hold in seconds' })
  declare holdSeconds?: number
  @flags.number({ description: 'Payment window in seconds' })
  declare paymentWindowSeconds?: number

  protected async perform() {
    const {
      requestsPerMinute,
      requestsInFlight,
      pendingOrders,
      holdSeconds,
      paymentWindowSeconds,
    } = this
    const given = {
      requestsPerMinute,
      requestsInFlight,
      pendingOrders,
      holdSeconds,
      paymentWindowSeconds,
    }
    const settings = Object.fromEntries(
      Object.entries(given).filter(([, value]) => value !== undefined)
    )
    await new CreatePartner().handle({
      code: this.code,
      name: this.name,
      settings,
      actor: this.actor,
    })
    const { apiKey, secret } = await new IssueKey().handle({
      partnerCode: this.code,
      actor: this.actor,
    })
    this.logger.success(`partner ${this.code}`)
    this.logger.log(`API key ${apiKey}\nsecret  ${secret} (shown once)`)
  }
}
