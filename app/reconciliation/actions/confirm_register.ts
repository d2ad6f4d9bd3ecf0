import type { Period } from '#ledger/periods'
import { reachOf, requestCheck, unionOf, type Asker } from '#reconciliation/store/request_check'
import {
  hasProblems,
  readProblems,
  refuseProblems,
  type StoredWaiver,
} from '#reconciliation/store/confirmation_problems'
import {
  findRegister,
  lockRegister,
  type PartnerRegister,
} from '#reconciliation/store/find_register'
import { undecidedSheetsOf } from '#reconciliation/store/register_parts'
import { lockSource } from '#reconciliation/store/register_source'
import { assertReplaceable, lockTakenDays, type TakenDays } from '#reconciliation/store/taken_days'
import type { Actor } from '#shared/actor'
import { record } from '#shared/journal'
import { refuse } from '#shared/refusals'
import { statement } from '#shared/statement'
import { transaction } from '#shared/transaction'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

export interface ConfirmRegisterInput extends Asker {
  registerId: number
  version: number
  /** Confirmed registers of the same source and days that the person has seen and lets this one replace. */
  replaces?: number[]
  /** Why it is confirmed although something is wrong with it. */
  waiver?: { reason: string }
}

const countUndecided = statement<{ count: number }, { registerId: number }>(
  'register_undecided',
  `SELECT count(*)::integer AS count FROM partner_register_cases
    WHERE register_id = :registerId AND is_suggested AND decision IS NULL`
)
export const setState = statement<object, { registerId: number; state: string; actor: string }>(
  'register_set_state',
  `UPDATE partner_registers SET state = :state, decided_by = :actor, decided_at = clock_timestamp(), version = version + 1 WHERE id = :registerId`
)
const setReplaced = statement<object, { id: number; replacedBy: number }>(
  'register_set_replaced',
  `UPDATE partner_registers SET state = 'replaced', replaced_by = :replacedBy, version = version + 1 WHERE id = :id`
)
const setWaiver = statement<object, { registerId: number; waiver: string }>(
  'register_set_waiver',
  'UPDATE partner_registers SET waiver = :waiver WHERE id = :registerId'
)
/**
 * Confirms a register: from now on it is evidence of defects and refunds, and the registers that it replaces are no more.
 * Refuses SUGGESTIONS_UNDECIDED and SHEETS_UNDECIDED; REGISTER_DAYS_LOST and REGISTER_DAYS_TAKEN when days of its source are confirmed already; and
 * NO_ROWS, CONTROL_DIFFERS, UNREAD_MONEY, UNKNOWN_WORDS, EARLY_REFUNDS, FOREIGN_ORDERS and SETUP_CONTRADICTED without a waiver; SETUP_UNANSWERED in any case.
 */
export default class ConfirmRegister {
  async handle({ replaces = [], waiver, ...input }: ConfirmRegisterInput) {
    const { actor, language, ...seen } = input
    return transaction(async (trx) => {
      // Before the register, as a change of the set-up does; of two people who confirm at once the second one sees what the first
      // has confirmed.
      const { sourceId } = await findRegister(seen.registerId, trx)
      await lockSource(sourceId, trx)
      const found = await lockRegister(seen, 'confirm', trx)
      const { count } = await countUndecided.one({ registerId: found.id }, trx)
      if (count > 0) refuse('SUGGESTIONS_UNDECIDED', { count })
      const undecided = await undecidedSheetsOf(found, trx)
      const sheets = undecided.map(({ file, sheet }) => ({ file, sheet }))
      if (sheets.length > 0) refuse('SHEETS_UNDECIDED', { sheets })
      const waived = await this.#waive(found, waiver, trx)
      const overlapping = await lockTakenDays(found, trx)
      assertReplaceable(found, overlapping, replaces)
      const affected = await this.#replace(overlapping, found, actor, trx)
      await setState({ registerId: found.id, state: 'confirmed', actor: actor.name }, trx)
      const entry = { register_id: found.id, file: found.fileName, sha256: found.sha256 }
      const subjects = { actor, partnerId: found.partnerId }
      await record('register_confirmed', { ...entry, waived }, subjects, trx)
      const reach = unionOf([...affected, await reachOf(found, trx)])
      return requestCheck(found, reach, { actor, language }, trx)
    })
  }

  /** Stores what somebody waives; refuses what is wrong with the register when nobody does. */
  async #waive(
    found: PartnerRegister,
    waiver: ConfirmRegisterInput['waiver'],
    trx: TransactionClientContract
  ) {
    const problems = await readProblems(found, trx)
    if (problems.setupUnanswered)
      refuse('SETUP_UNANSWERED', { proposals: problems.setupUnanswered })
    if (!hasProblems(problems)) return null
    if (!waiver) refuseProblems(problems)
    const stored: StoredWaiver = { reason: waiver.reason, problems }
    await setWaiver({ registerId: found.id, waiver: JSON.stringify(stored) }, trx)
    return stored
  }

  /** Ends the registers that were confirmed for these days. Returns what each had affected. */
  async #replace(
    overlapping: TakenDays[],
    newer: PartnerRegister,
    actor: Actor,
    trx: TransactionClientContract
  ) {
    const affected: Period[] = []
    for (const { id } of overlapping) {
      const older = await findRegister(id, trx)
      affected.push(await reachOf(older, trx))
      await setReplaced({ id, replacedBy: newer.id }, trx)
      const change = {
        register_id: id,
        file: older.fileName,
        sha256: older.sha256,
        replaced_by: newer.id,
        replaced_by_file: newer.fileName,
        period_from: older.from.toISOString(),
        period_to: older.to.toISOString(),
      }
      await record('register_replaced', change, { actor, partnerId: newer.partnerId }, trx)
    }
    return affected
  }
}
