import { setState } from '#reconciliation/actions/confirm_register'
import { reachOf, requestCheck, type Asker } from '#reconciliation/store/request_check'
import { lockRegister } from '#reconciliation/store/find_register'
import { filesOf, partsOf } from '#reconciliation/store/register_parts'
import { registerPath } from '#reconciliation/store/register_file'
import { clearMatches } from '#reconciliation/store/save_matches'
import { deleteRows } from '#reconciliation/store/save_rows'
import { record } from '#shared/journal'
import { allowLongWrites } from '#shared/long_queries'
import { transaction } from '#shared/transaction'
import { rm } from 'node:fs/promises'

export interface DropRegisterInput extends Asker {
  registerId: number
  version: number
  reason: string
}

/** Drops a register, also a confirmed one: deletes its rows, cases and files; the register's own row stays. */
export default class DropRegister {
  async handle({ reason, actor, language, ...seen }: DropRegisterInput) {
    const { id, files } = await transaction(async (trx) => {
      await allowLongWrites(trx)
      const found = await lockRegister(seen, 'drop', trx)
      const period = await reachOf(found, trx)
      const own = filesOf(await partsOf(found, trx))
      await clearMatches(found.id, trx)
      await deleteRows({ id: found.id }, trx)
      await setState({ registerId: found.id, state: 'dropped', actor: actor.name }, trx)
      const entry = { register_id: found.id, file: found.fileName, sha256: found.sha256 }
      const subjects = { actor, partnerId: found.partnerId }
      await record('register_dropped', { ...entry, was: found.state, reason }, subjects, trx)
      if (found.state === 'confirmed') await requestCheck(found, period, { actor, language }, trx)
      return { id: found.id, files: own }
    })
    for (const { sha256 } of files) await rm(await registerPath({ id, sha256 }), { force: true })
  }
}
