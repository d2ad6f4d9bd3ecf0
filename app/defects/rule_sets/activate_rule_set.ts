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
  /** The version in force that the person who decides saw. */
  from: number
  reason: string
  actor: Actor
}

const insertActivation = statement<object, { version: number; actor: string; reason: string }>(
  'settlement_rule_set_activate',
  'INSERT INTO settlement_rule_sets (version, activated_by, reason) VALUES (:version, :actor, :reason)'
)

/** Puts a rule set in force from the next check on; existing cases change when their month is checked. Refuses STALE. */
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
