import {
  HoldForStorefront,
  ReleaseFromStorefront,
  SellToStorefront,
} from '#inventory/actions/storefront'
import { refuseField } from '#shared/refusals'
import { args, flags } from '@adonisjs/core/ace'
import { CoreCommand } from '#console/core_command'

export default class Storefront extends CoreCommand {
  static commandName = 'storefront'
  static description = "Hold, release or sell seats as the platform's own storefront"

  @args.string({ description: 'hold, release or sell' })
  declare act: string

  @args.string({ description: 'evt_…' })
  declare event: string

  @flags.array({ description: 'Seats to hold' })
  declare seat?: string[]

  @flags.string({ description: 'The cart id that hold printed, for release and sell' })
  declare cart?: string

  @flags.number({ description: 'Seconds to hold', default: 600 })
  declare holdSeconds: number

  protected async perform() {
    const { event: eventId, holdSeconds } = this
    const actor = { kind: 'storefront', name: 'console', requestId: null } as const
    if (this.act === 'hold') {
      const hold = { eventId, seats: this.seat ?? [], holdSeconds, actor }
      const { cartId } = await new HoldForStorefront().handle(hold)
      return void this.logger.success(cartId)
    }
    if (!this.cart) refuseField('cart', 'required', 'release and sell need --cart')
    const Act = { release: ReleaseFromStorefront, sell: SellToStorefront }[this.act]
    if (!Act) refuseField('act', 'enum', 'must be hold, release or sell')
    const { seats } = await new Act().handle({ eventId, cartId: this.cart, actor })
    this.logger.success(`${seats} seats: ${this.act}`)
  }
}
