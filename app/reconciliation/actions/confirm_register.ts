import type { Period } from '#ledger/periods'
import {
  hasProblems,
  readProblems,
  refuseProblems,
  type StoredWaiver,
} from '#reconciliation/store/confirmation_problems'
import {
  changeOf,
  findRegister,
  lockRegister,
  type PartnerRegister,
} from '#reconciliation/store/find_register'
import { undecidedSheetsOf } from '#reconciliation/store/register_parts'
import { lockSource } from '#reconciliation/store/register_source'
import { assertReplaceable, lockTakenDays, type TakenDays } from '#reconciliation/store/taken_days'
import AskForRun from '#runs/ask_for_run/ask_for_run'
import type { Language } from '#shared/languages'
import type { Actor } from '#shared/actor'
import { record } from '#shared/journal'
import { refuse } from '#shared/refusals'
import { statement } from '#shared/statement'
import { transaction } from '#shared/transaction'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

export interface Asker {
  actor: Actor
  language: Language
}
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
const setState = statement<object, { registerId: number; state: string; actor: string }>(
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
const selectReach = statement<{ from: Date | null; to: Date | null }, { id: number }>(
  'register_reach',
  `SELECT min(at) AS "from", max(at) AS "to"
     FROM (SELECT o.created_at AS at
             FROM (SELECT order_id FROM partner_register_case_orders WHERE register_id = :id
                    UNION SELECT meant_order_id FROM partner_register_cases WHERE register_id = :id) c
             JOIN orders o ON o.id = c.order_id
            UNION ALL
           SELECT least(greatest(w.at, r.period_from - interval '1 day'), r.period_to + interval '1 day')
             FROM partner_registers r JOIN partner_register_cases c ON c.register_id = r.id
             JOIN partner_register_case_rows l ON l.case_id = c.id
             JOIN partner_register_rows w ON w.register_id = l.register_id AND w.line = l.line
            WHERE r.id = :id AND (c.category = 'MISSING_AT_PLATFORM' OR c.decision = 'rejected') AND w.at IS NOT NULL
            UNION ALL
           SELECT unnest(ARRAY[other.period_from, other.period_to - interval '1 second'])
             FROM partner_registers r JOIN partner_registers other ON other.partner_id = r.partner_id AND other.id <> r.id
            WHERE r.id = :id AND other.state = 'confirmed' AND EXISTS (
              SELECT 1 FROM partner_register_cases c JOIN partner_register_case_rows l ON l.case_id = c.id
                JOIN partner_register_rows w ON w.register_id = l.register_id AND w.line = l.line
                JOIN partner_register_rows own ON own.register_id = r.id AND own.payment_id = w.payment_id
                 AND left(own.payment_id, 64) = left(w.payment_id, 64)
               WHERE c.register_id = other.id AND c.category = 'MISSING_AT_PLATFORM')) affected`
)

/**
 * Confirms a register: from now on it is evidence of defects and refunds, and the registers that it replaces are no more.
 * Refuses SUGGESTIONS_UNDECIDED and SHEETS_UNDECIDED; REGISTER_DAYS_LOST and REGISTER_DAYS_TAKEN when days of its source are confirmed already; and
 * CONTROL_DIFFERS, UNREAD_MONEY, UNKNOWN_WORDS, FOREIGN_ORDERS and SETUP_CONTRADICTED without a waiver; SETUP_UNANSWERED in any case.
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

const unionOf = (periods: Period[]): Period => ({
  from: new Date(Math.min(...periods.map(({ from }) => from.getTime()))),
  to: new Date(Math.max(...periods.map(({ to }) => to.getTime()))),
})

export { setState }

/** The register's period, extended by all orders and payments that the register or one with the same payments affects. */
export async function reachOf(
  { id, from, to }: PartnerRegister,
  trx: TransactionClientContract
): Promise<Period> {
  const orders = await selectReach.one({ id }, trx)
  const [first, last] = [orders.from ?? from, orders.to ?? from]
  return {
    from: first < from ? first : from,
    to: last < to ? to : new Date(last.getTime() + 1),
  }
}

/** Requests a run that applies the rules to everything that the register affects. */
export const requestCheck = (
  register: PartnerRegister,
  { from, to }: Period,
  asker: Asker,
  trx: TransactionClientContract
) => {
  const { partnerCode } = register
  const params = { partnerCode, from: from.toISOString(), to: to.toISOString() }
  const asked = { kind: 'check_period', partnerCode, params, ...asker } as const
  return new AskForRun().within({ ...asked, causedBy: changeOf(register) }, trx)
}
