import type { Json } from '#staff_area/page_props'
import type { PartnerChoice } from '#staff_area/partner_choices'
import type { Activation as StoredActivation } from '#defects/rule_sets/active_rule_set'
import type { Thresholds } from '#defects/rules/thresholds'

export type { Limit, Thresholds } from '#defects/rules/thresholds'

/** When a version of the rules was put in force, and by whom; null for the delivered default. */
export type Activation = Json<StoredActivation>

/** A version of the rules with its thresholds; a version never changes. */
export interface RuleSetLine {
  version: number
  state: 'in_force' | 'candidate' | 'earlier'
  /** The last one; null if it was never in force. */
  activation: Activation | null
  thresholds: Thresholds
  /** Codes of its rules. */
  codes: readonly string[]
}

export interface RulesPage {
  /** The newest first. */
  sets: RuleSetLine[]
  activations: Activation[]
  partners: PartnerChoice[]
}
