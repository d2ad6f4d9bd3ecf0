import { CoreCommand } from '#console/core_command'
import FinishRestore, { byPartner, type RestorePlan } from '#restores/finish_restore'
import { writeGapList } from '#restores/gap_list'
import { refuseField } from '#shared/refusals'
import { readInstant } from '#shared/instants'
import { flags } from '@adonisjs/core/ace'

const MOST_SHOWN = 20

/** What happens to guests of the gap, also those that have not come yet. */
const AT_THE_GATE = [
  'Guests of the gap: with network the gate refuses them (QR_INVALID) and shows the number of the ticket; without network phones let them in, for the code is signed by us',
  'Let in by hand whoever is on the list of the partner, and note the number: the same code is refused the next time, too',
]

export default class RestoreFinish extends CoreCommand {
  static commandName = 'restore:finish'
  static description =
    'Show what a restore has lost, as far as it is known; with --yes, advance all numbers beyond it and sell again'

  @flags.string({
    description: 'The moment restored to (2026-11-25T09:30:00+05:00), if it is not found by itself',
  })
  declare restoredTo?: string

  @flags.number({ description: 'Advance each number by at least so many' })
  declare margin?: number

  @flags.boolean({ description: 'Act; without it, nothing is changed' })
  declare yes?: boolean

  protected async perform() {
    const input = { restoredTo: this.#restoredTo(), leastMargin: this.#margin() }
    const finish = new FinishRestore()
    const plan = this.yes
      ? await finish.handle({ ...input, actor: this.actor })
      : await finish.plan(input)
    this.#show(plan)
    const { orders } = plan.evidence
    if (orders.length > 0)
      this.logger.info(
        `All ${orders.length} orders of the gap: ${await writeGapList(orders, plan.gap.from)}`
      )
    const isNeeded = plan.isOpen || plan.isOtherHistory || plan.advances.length > 0
    if (!isNeeded) this.logger.success('Nothing to finish: no restore since the last one')
    else if (this.yes) this.logger.success('Finished: numbers are advanced, selling goes on')
    else this.logger.info('Nothing was changed. --yes advances the numbers and sells again.')
  }

  #show({
    isOpen,
    because,
    isOtherHistory,
    gap,
    knownAt,
    advances,
    evidence,
    implausible,
  }: RestorePlan) {
    const { orders, guests, served, registerFiles } = evidence
    this.logger.info(
      isOpen
        ? `Restored (${because ?? 'noticed just now'}): ${this.yes ? 'nothing was' : 'nothing is'} sold`
        : isOtherHistory
          ? 'Not noticed as a restore: selling went on. The history is another one than at the last restore:finish (a restore, a failover, or the first time)'
          : 'No restore since the last restore:finish'
    )
    this.logger.info(`Gap: ${gap.from.toISOString()} to ${gap.to.toISOString()}`)
    this.logger.info(
      knownAt
        ? `The storage directory knows the numbers as of ${knownAt.toISOString()}`
        : 'The storage directory knows nothing: numbers are advanced by the rate of sales alone'
    )
    for (const { name, last, to } of advances) this.logger.info(`  ${name}: ${last} → ${to}`)
    if (orders.length === 0)
      this.logger.info('No order of the gap is known from registers or confirms')
    for (const known of byPartner(orders)) {
      const tenge = known.reduce((sum, order) => sum + (order.tenge ?? 0n), 0n)
      const ids = known.slice(0, MOST_SHOWN).map(({ orderId }) => orderId)
      const more = known.length > MOST_SHOWN ? ` … and ${known.length - MOST_SHOWN} more` : ''
      this.logger.info(
        `${known[0].partner}: ${known.length} orders of the gap, ${tenge} tenge  ${ids.join(' ')}${more}`
      )
    }
    for (const { partner, until } of served)
      this.logger.info(
        `${partner}: its cursor was given on ${until.toISOString()}, so it may have sold until then`
      )
    for (const { orderId, partner } of implausible)
      this.logger.warning(`${partner} names ${orderId}, which is too high to be ours: not taken in`)
    for (const { eventId, number, spaceId } of guests)
      this.logger.info(
        `At the gate of ${eventId}: ticket ${number}, ${spaceId}, signed by us and unknown`
      )
    if (isOpen || guests.length > 0) for (const line of AT_THE_GATE) this.logger.info(line)
    if (registerFiles.length > 0)
      this.logger.warning(
        `${registerFiles.length} files of registers are unknown here and will be deleted after --yes: copy them and upload them again  ${registerFiles.slice(0, MOST_SHOWN).join(' ')}`
      )
  }

  #restoredTo() {
    if (this.restoredTo === undefined) return undefined
    const read = readInstant(this.restoredTo)
    if (!read) refuseField('restored-to', 'instant', 'must be a moment with its offset')
    return read.at
  }

  #margin() {
    if (this.margin === undefined) return undefined
    if (!Number.isSafeInteger(this.margin) || this.margin < 1 || this.margin > 1_000_000_000)
      refuseField('margin', 'range', 'must be a whole number from 1 to 1000000000')
    return BigInt(this.margin)
  }
}
