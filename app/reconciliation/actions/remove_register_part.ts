import { lockRegister } from '#reconciliation/store/find_register'
import { registerPath } from '#reconciliation/store/register_file'
import { partsOf } from '#reconciliation/store/register_parts'
import { makeUnread, forgetLeftOut } from '#reconciliation/store/save_parts'
import type { Actor } from '#shared/actor'
import { record } from '#shared/journal'
import { refuse } from '#shared/refusals'
import { statement } from '#shared/statement'
import { transaction } from '#shared/transaction'
import { rm } from 'node:fs/promises'

export interface RemoveRegisterPartInput {
  registerId: number
  version: number
  number: number
  actor: Actor
}

const deletePart = statement<object, { registerId: number; number: number }>(
  'register_part_delete',
  'DELETE FROM partner_register_parts WHERE register_id = :registerId AND number = :number'
)

/**
 * Takes a part away from a register that is not yet confirmed; the first part is the register itself and stays. Returns whether
 * the register has to be read again.
 */
export default class RemoveRegisterPart {
  async handle({ number, actor, ...seen }: RemoveRegisterPartInput) {
    const { isUnread, unusedFile } = await transaction(async (trx) => {
      const register = await lockRegister(seen, 'changeParts', trx)
      const parts = await partsOf(register, trx)
      const part = parts.find((one) => one.number === number && number > 1)
      if (!part) refuse('NO_SUCH', { what: 'part' })
      const { sha256, fileName, sheet } = part
      const isLastOfFile = parts.every((one) => one === part || one.sha256 !== sha256)
      await deletePart({ registerId: register.id, number }, trx)
      if (isLastOfFile) await forgetLeftOut({ registerId: register.id, sha256, sheet: null }, trx)
      const entry = { register_id: register.id, file: fileName, sheet, sha256 }
      const subjects = { actor, partnerId: register.partnerId }
      await record('register_part_removed', entry, subjects, trx)
      const unread = await makeUnread(register, trx)
      return { ...unread, unusedFile: isLastOfFile ? { id: register.id, sha256 } : null }
    })
    if (unusedFile) await rm(await registerPath(unusedFile), { force: true })
    return { isUnread }
  }
}
