import { readRules } from '#finance/rules/read_rules'
import { activationValidator } from '#finance/rules/rule_validators'
import type { RulesPage } from '#finance/rules/rules_props'
import { partnerChoices } from '#staff_area/partner_choices'
import { redirectWithNotice } from '#staff_area/redirect_with_notice'
import { idOf } from '#staff_area/id_of'
import type { ServerProps } from '#staff_area/page_props'
import ActivateRuleSet from '#defects/rule_sets/activate_rule_set'
import type { HttpContext } from '@adonisjs/core/http'

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
