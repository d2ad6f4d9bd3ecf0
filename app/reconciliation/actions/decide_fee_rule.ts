import { isSameRule } from '#reconciliation/matching/fee_rule'
import type { Asker } from '#reconciliation/store/request_check'
import { changeOf, findRegister, lockRegister } from '#reconciliation/store/find_register'
import { readKeptFeeRules, saveKeptFeeRules } from '#reconciliation/store/kept_fee_rules'
import { toFeeRule, type StoredFeeRule } from '#reconciliation/store/stored_values'
import AskForRun from '#runs/ask_for_run/ask_for_run'
import { record } from '#shared/journal'
import { refuse } from '#shared/refusals'
import { statement } from '#shared/statement'
import { transaction } from '#shared/transaction'
import { takeTurn } from '#shared/turn'

export interface DecideFeeRuleInput extends Asker {
  registerId: number
  version: number
  /** Its place among the register's fee rules. */
  place: number
  /** Whether it holds for the registers of its source from now on. */
  isKept: boolean
}

// Also those that are being matched for the first time. By id, so that two people who change registers do not deadlock.
const lockUndecided = statement<{ id: number }, { sourceId: number }>(
  'registers_lock_undecided',
  `SELECT id FROM partner_registers WHERE source_id = :sourceId AND state IN ('read', 'matched') ORDER BY id FOR NO KEY UPDATE`
)
// A matching that is under way does not know the rule.
const raiseVersions = statement<{ id: number; version: number }, { sourceId: number }>(
  'registers_raise_versions',
  `UPDATE partner_registers SET version = version + 1
    WHERE source_id = :sourceId AND state IN ('read', 'matched') RETURNING id, version`
)

/**
 * Accepts a fee rule that a matched register offers for its source, or takes it back, and asks for all registers of the source
 * that are not confirmed to be matched again.
 */
export default class DecideFeeRule {
  async handle({ registerId, version, place, isKept, actor, language }: DecideFeeRuleInput) {
    return transaction(async (trx) => {
      const { partnerId, sourceId } = await findRegister(registerId, trx)
      await takeTurn(`fee rules of source ${sourceId}`, trx)
      await lockUndecided({ sourceId }, trx)
      const found = await lockRegister({ registerId, version }, 'match', trx)
      const decided = found.feeRules[place] ?? refuse('NO_SUCH', { what: 'fee rule' })
      const rule = ruleOf(decided)
      const kept = await readKeptFeeRules(sourceId, trx)
      const others = kept.filter((one) => !isSameRule(one, toFeeRule(rule)))
      const rules = isKept ? [...others, toFeeRule(rule)] : others
      await saveKeptFeeRules(sourceId, rules, trx)
      const entry = { register_id: registerId, file: found.fileName, rule, is_kept: isKept }
      await record('register_fee_rule_decided', entry, { actor, partnerId }, trx)
      const unmatched = await raiseVersions({ sourceId }, trx)
      for (const changed of unmatched) {
        const params = { registerId: changed.id }
        const asked = { kind: 'match_register', partnerCode: found.partnerCode, params } as const
        await new AskForRun().within(
          { ...asked, causedBy: changeOf(changed), actor, language },
          trx
        )
      }
    })
  }
}

/** The rule alone, without what a register says about it. */
function ruleOf(found: StoredFeeRule): StoredFeeRule {
  if (found.kind === 'percent') return { kind: found.kind, basisPoints: found.basisPoints }
  if (found.kind === 'sum') return { kind: found.kind, tenge: found.tenge }
  return { kind: found.kind }
}
