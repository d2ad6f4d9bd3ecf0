import {
  requestCheck,
  reachOf,
  setState,
  type Asker,
} from '#reconciliation/actions/confirm_register'
import { lockRegister } from '#reconciliation/store/find_register'
import { registerPath } from '#reconciliation/store/register_file'
import { record } from '#shared/journal'
import { takeTimeToWrite } from '#shared/patience'
import { statement } from '#shared/statement'
import { transaction } from '#shared/transaction'
import { rm } from 'node:fs/promises'

export interface DropRegisterInput extends Asker {
  registerId: number
  version: number
  reason: string
}

const TABLES = [
  'partner_register_case_rows',
  'partner_register_case_orders',
  'partner_register_cases',
  'partner_register_rows',
]
const empty = TABLES.map((table) =>
  statement<object, { registerId: number }>(
    `register_drop_${table}`,
    `DELETE FROM ${table} WHERE register_id = :registerId`
  )
)

/** Takes a register back, a confirmed one too: its rows and its file are deleted, that it was there stays known. */
export default class DropRegister {
  async handle({ reason, actor, language, ...seen }: DropRegisterInput) {
    const dropped = await transaction(async (trx) => {
      await takeTimeToWrite(trx)
      const found = await lockRegister(seen, 'drop', trx)
      const period = await reachOf(found, trx)
      for (const remove of empty) await remove({ registerId: found.id }, trx)
      await setState({ foundId: found.id, state: 'dropped', actor: actor.name }, trx)
      const told = { register_id: found.id, file: found.fileName, sha256: found.sha256 }
      const subjects = { actor, partnerId: found.partnerId }
      await record('register_dropped', { ...told, was: found.state, reason }, subjects, trx)
      if (found.state === 'confirmed') await requestCheck(found, period, { actor, language }, trx)
      return found
    })
    await rm(await registerPath(dropped), { force: true })
  }
}
