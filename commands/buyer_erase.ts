import EraseBuyer from '#privacy/erase_buyer'
import { findBuyer, type BuyerSearch } from '#privacy/find_buyer'
import { flags } from '@adonisjs/core/ace'
import { CoreCommand } from '#console/core_command'
import { refuse, refuseField } from '#shared/refusals'

/** For an agency that sends its own e-mail with every order; nobody else has so many. */
const MOST_ORDERS = 100_000
const MOST_SHOWN = 20

export default class BuyerErase extends CoreCommand {
  static commandName = 'buyer:erase'
  static description =
    'Show what erasing a buyer would erase; with --yes, replace the name, e-mail and phone for ever'

  @flags.string({ description: 'Number of one order' })
  declare order?: string

  @flags.string({ description: 'E-mail: all orders and bookings with it' })
  declare email?: string

  @flags.string({ description: 'Phone in any spelling: all orders and bookings with it' })
  declare phone?: string

  @flags.string({ description: 'Reason, for the journal' })
  declare reason?: string

  @flags.boolean({ description: 'Erase; without it, nothing is changed' })
  declare yes?: boolean

  protected async perform() {
    const search = this.#search()
    const found = await findBuyer(search, MOST_ORDERS)
    const { orderIds, stillBuying, upcoming, inOpenCases } = found
    if (search.foundBy === 'order' && orderIds.length + stillBuying.length === 0)
      refuse('ORDER_NOT_FOUND')
    this.#list('Orders', orderIds)
    this.#list('Bookings of their own', found.bookingIds)
    this.#list('Left alone, because they are still being paid for', stillBuying)
    this.#list('Of events that are not over', upcoming)
    this.#list('In an open case of settlement', inOpenCases)
    if (!this.yes) {
      this.logger.info('Nothing was changed. --yes --reason="…" erases them; it cannot be undone.')
      return
    }
    const { reason, actor } = this
    if (!reason?.trim()) refuseField('reason', 'required', 'is needed to erase')
    const erased = await new EraseBuyer().handle({ ...search, reason, actor, most: MOST_ORDERS })
    const { orders, bookings, rows } = erased
    this.logger.success(
      `Erased: ${orders} orders, ${bookings} bookings, ${rows} rows of registers by their e-mail`
    )
  }

  #search(): BuyerSearch {
    const { order, email, phone } = this
    const given = Object.entries({ order, email, phone }).filter(([, text]) => text?.trim())
    if (given.length !== 1) refuseField('order', 'one', 'give --order, --email or --phone')
    const [[foundBy, text]] = given as [[BuyerSearch['foundBy'], string]]
    return { foundBy, text: text.trim() }
  }

  #list(title: string, ids: string[]) {
    const more = ids.length > MOST_SHOWN ? ` … and ${ids.length - MOST_SHOWN} more` : ''
    this.logger.info(`${title}: ${ids.length}  ${ids.slice(0, MOST_SHOWN).join(' ')}${more}`)
  }
}
