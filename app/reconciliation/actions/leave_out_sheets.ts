import { lockRegister } from '#reconciliation/store/find_register'
import { undecidedSheetsOf } from '#reconciliation/store/register_parts'
import type { Actor } from '#shared/actor'
import { record } from '#shared/journal'
import { refuse } from '#shared/refusals'
import { statement } from '#shared/statement'
import { transaction } from '#shared/transaction'

export interface LeaveOutSheetsInput {
  registerId: number
  version: number
  sheets: { sha256: string; sheet: string }[]
  reason: string
  actor: Actor
}

const insertLeftOut = statement<
  object,
  { registerId: number; sha256: string; sheet: string; reason: string; leftOutBy: string }
>(
  'register_sheet_leave_out',
  `INSERT INTO partner_register_left_out_sheets (register_id, sha256, sheet, reason, left_out_by)
   VALUES (:registerId, :sha256, :sheet, :reason, :leftOutBy)`
)
// Nothing that was read changes.
const raiseVersion = statement<object, { registerId: number }>(
  'register_sheets_left_out',
  'UPDATE partner_registers SET version = version + 1 WHERE id = :registerId'
)

/** Leaves sheets with rows out of a register that is not yet confirmed, with a reason. */
export default class LeaveOutSheets {
  async handle({ sheets, reason, actor, ...seen }: LeaveOutSheetsInput) {
    return transaction(async (trx) => {
      const register = await lockRegister(seen, 'changeParts', trx)
      const undecided = await undecidedSheetsOf(register, trx)
      for (const { sha256, sheet } of sheets) {
        const isUndecided = undecided.some((one) => one.sha256 === sha256 && one.sheet === sheet)
        if (!isUndecided) refuse('NO_SUCH', { what: 'undecided sheet' })
        const row = { registerId: register.id, sha256, sheet, reason, leftOutBy: actor.name }
        await insertLeftOut(row, trx)
      }
      const names = sheets.map(({ sheet }) => sheet)
      const entry = { register_id: register.id, file: register.fileName, sheets: names, reason }
      await record('register_sheets_left_out', entry, { actor, partnerId: register.partnerId }, trx)
      await raiseVersion({ registerId: register.id }, trx)
    })
  }
}
