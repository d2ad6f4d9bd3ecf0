import { ruleSetOf } from '#defects/rule_sets/rule_sets'
import { activeRuleSet } from '#defects/rule_sets/active_rule_set'
import type { Actor } from '#shared/actor'
import { record } from '#shared/journal'
import { refuse, refuseField } from '#shared/refusals'
import { statement } from '#shared/statement'
import { takeTurn } from '#shared/turn'
import { transaction } from '#shared/transaction'

export interface ActivateRuleSetInput {
  version: number
  /** The one in force as whoever decides has seen it. */
  from: number
  reason: string
  actor: Actor
}

const insertActivation = statement<object, { version: number; actor: string; reason: string }>(
  'settlement_rule_set_activate',
  'INSERT INTO settlement_rule_sets (version, activated_by, reason) VALUES (:version, :actor, :reason)'
)

/** Judges by other rules from the next search on; what was found by the old ones is looked at again with its month. Refuses STALE. */
export default class ActivateRuleSet {
  async handle({ version, from, reason, actor }: ActivateRuleSetInput) {
    ruleSetOf(version)
    if (!reason.trim()) refuseField('reason', 'required', 'fields.required')
    await transaction(async (trx) => {
      await takeTurn('settlement:rule_set', trx)
      const active = await activeRuleSet(trx)
      if (active.version !== from) refuse('STALE')
      if (active.version === version) return
      await insertActivation({ version, actor: actor.name, reason }, trx)
      await record('rule_set_activated', { from, to: version, reason }, { actor }, trx)
    })
  }
}
