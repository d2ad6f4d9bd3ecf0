import type { RuleSetLine } from '#finance/rules/rules_props'
import { ruleSetOf } from '#defects/rule_sets/rule_sets'
import { listActivations, listRuleSets, type Activation } from '#defects/rule_sets/active_rule_set'

const stateOf = (isActive: boolean, activation: Activation | null): RuleSetLine['state'] =>
  isActive ? 'in_force' : activation === null ? 'candidate' : 'earlier'

/** Every version of the rules with its thresholds, the newest first, and the history of activations. */
export async function readRules() {
  const [listed, activations] = await Promise.all([listRuleSets(), listActivations()])
  const sets = listed.map(({ version, isActive, activation }) => {
    const { thresholds, codes } = ruleSetOf(version)
    return { version, state: stateOf(isActive, activation), activation, thresholds, codes }
  })
  return { sets, activations }
}
