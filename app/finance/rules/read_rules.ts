import { ruleSetOf } from '#defects/rule_sets/rule_sets'
import { listActivations, listRuleSets } from '#defects/rule_sets/active_rule_set'

const stateOf = (isActive: boolean, activation: unknown) =>
  isActive ? 'in_force' : activation === null ? 'candidate' : 'earlier'

/** Every set of rules, the newest first, with what it judges by, and when which was put in force. */
export async function readRules() {
  const [listed, activations] = await Promise.all([listRuleSets(), listActivations()])
  const sets = listed.map(({ version, isActive, activation }) => {
    const { thresholds, codes } = ruleSetOf(version)
    return { version, state: stateOf(isActive, activation), activation, thresholds, codes }
  })
  return { sets, activations }
}
