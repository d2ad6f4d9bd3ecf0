import { RULE_SETS, ruleSetOf, type RuleSet } from '#defects/rule_sets/rule_sets'
import { statement } from '#shared/statement'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'

export interface Activation {
  version: number
  activatedAt: Date
  activatedBy: string | null
  reason: string | null
}

const selectActivations = statement<Activation, { most: number }>(
  'settlement_rule_set_activations',
  `SELECT version, activated_at AS "activatedAt", activated_by AS "activatedBy", reason
     FROM settlement_rule_sets ORDER BY id DESC LIMIT :most`
)

/** The rule set in force. */
export async function activeRuleSet(client?: QueryClientContract): Promise<RuleSet> {
  const { version } = await selectActivations.one({ most: 1 }, client)
  return ruleSetOf(version)
}

const MAX_ACTIVATIONS = 50

/** The activations of rule sets, the newest first. */
export const listActivations = () => selectActivations({ most: MAX_ACTIVATIONS })

/** All versions, the newest first, each with its last activation. */
export async function listRuleSets() {
  const activations = await listActivations()
  const [active] = activations
  return RULE_SETS.toReversed().map(({ version }) => ({
    version,
    isActive: version === active.version,
    activation: activations.find((one) => one.version === version) ?? null,
  }))
}
