import { findRegister, lockRegister } from '#reconciliation/store/find_register'
import { chosenSource, type SourceChoice } from '#reconciliation/store/choose_source'
import { dayShiftOf, SHIFT_DAYS, takeTurnForSources } from '#reconciliation/store/register_source'
import { MAKE_UNREAD } from '#reconciliation/store/register_state'
import type { Actor } from '#shared/actor'
import { record } from '#shared/journal'
import { refuseField } from '#shared/refusals'
import { statement } from '#shared/statement'
import { transaction } from '#shared/transaction'

export interface SetRegisterSourceInput extends SourceChoice {
  registerId: number
  version: number
  actor: Actor
}

// A register is read as its source is set up.
const updateRegister = statement<
  object,
  { registerId: number; sourceId: number; shiftMinutes: number }
>(
  'register_set_source',
  `UPDATE partner_registers SET source_id = :sourceId, ${SHIFT_DAYS}, ${MAKE_UNREAD} WHERE id = :registerId`
)

/**
 * Gives a register to another source of the partner, or to a new one; until it is confirmed. Returns whether it has to be read
 * again.
 */
export default class SetRegisterSource {
  async handle({ registerId, version, actor, ...choice }: SetRegisterSourceInput) {
    return transaction(async (trx) => {
      // Its days begin as the source says: nobody changes that meanwhile.
      const { partnerId } = await findRegister(registerId, trx)
      await takeTurnForSources(partnerId, trx)
      const found = await lockRegister({ registerId, version }, 'setSource', trx)
      const owner = { partnerId: found.partnerId, createdBy: actor.name }
      const source = await chosenSource(choice, owner, trx)
      if (!source) refuseField('sourceId', 'required', 'fields.required')
      if (source.id === found.sourceId) return { isUnread: false }
      const shiftMinutes = dayShiftOf(source)
      await updateRegister({ registerId, sourceId: source.id, shiftMinutes }, trx)
      const change = { register_id: registerId, file: found.fileName }
      const names = { from: found.sourceName, to: source.name }
      const subjects = { actor, partnerId: found.partnerId }
      await record('register_source_set', { ...change, ...names }, subjects, trx)
      return { isUnread: found.state !== 'uploaded' }
    })
  }
}
