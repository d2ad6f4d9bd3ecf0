import { activationValidator } from '#finance/rules/rule_validators'
import type { RuleSetLine, RulesPage } from '#finance/rules/rules_props'
import { partnerChoices } from '#staff_area/partner_choices'
import { redirectWithNotice } from '#staff_area/redirect_with_notice'
import { idOf } from '#staff_area/id_of'
import type { ServerProps } from '#staff_area/page_props'
import ActivateRuleSet from '#defects/rule_sets/activate_rule_set'
import { listActivations, listRuleSets, type Activation } from '#defects/rule_sets/active_rule_set'
import { ruleSetOf } from '#defects/rule_sets/rule_sets'
import type { HttpContext } from '@adonisjs/core/http'

const stateOf = (isActive: boolean, activation: Activation | null): RuleSetLine['state'] =>
  isActive ? 'in_force' : activation === null ? 'candidate' : 'earlier'

/** Every version of the rules with its thresholds, the newest first, and the history of activations. */
async function readRules() {
  const [listed, activations] = await Promise.all([listRuleSets(), listActivations()])
  const sets = listed.map(({ version, isActive, activation }) => {
    const { thresholds, codes } = ruleSetOf(version)
    return { version, state: stateOf(isActive, activation), activation, thresholds, codes }
  })
  return { sets, activations }
}

export default class RulesController {
  async index(ctx: HttpContext) {
    const [rules, partners] = await Promise.all([readRules(), partnerChoices({})])
    const page: ServerProps<RulesPage> = { ...rules, partners }
    return ctx.inertia.render('rules/index', page)
  }

  /** Puts a version in force. */
  async activate(ctx: HttpContext) {
    const { from, reason } = await ctx.request.validateUsing(activationValidator)
    const version = idOf(ctx, 'rule set')
    await new ActivateRuleSet().handle({ version, from, reason, actor: ctx.actor })
    return redirectWithNotice(ctx, 'rules.activated', { version })
  }
}
