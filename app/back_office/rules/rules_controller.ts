import { readRules } from '#back_office/rules/read_rules'
import { activationValidator } from '#back_office/rules/rule_validators'
import { partnerChoices } from '#back_office/shell/choices'
import { done } from '#back_office/shell/done'
import { idOf } from '#back_office/shell/id_of'
import ActivateRuleSet from '#defects/rule_sets/activate_rule_set'
import type { HttpContext } from '@adonisjs/core/http'

export default class RulesController {
  async index(ctx: HttpContext) {
    const [rules, partners] = await Promise.all([readRules(), partnerChoices([])])
    return ctx.inertia.render('rules/index', { ...rules, partners })
  }

  /** Puts a version in force. */
  async activate(ctx: HttpContext) {
    const { from, reason } = await ctx.request.validateUsing(activationValidator)
    const version = idOf(ctx, 'rule set')
    await new ActivateRuleSet().handle({ version, from, reason, actor: ctx.actor })
    return done(ctx, 'rules.activated', { version })
  }
}
