import { comparisonValidator } from '#finance/rules/rule_validators'
import { redirectToRun } from '#finance/redirect_to_run'
import { idOf } from '#staff_area/id_of'
import { languageOf } from '#staff_area/language_of'
import { ruleSetOf } from '#defects/rule_sets/rule_sets'
import { periodAround } from '#ledger/periods'
import AskForRun from '#runs/ask_for_run/ask_for_run'
import { midnightOf } from '#shared/days'
import { refuseField } from '#shared/refusals'
import type { HttpContext } from '@adonisjs/core/http'

const monthOf = (month: string) => periodAround(midnightOf(`${month}-01`), 'month')

export default class RuleComparisonsController {
  /** Asks for a run that judges past months by this version and by another one. */
  async store(ctx: HttpContext) {
    const asked = await ctx.request.validateUsing(comparisonValidator)
    const { partner: partnerCode, base } = asked
    const { version: candidate } = ruleSetOf(idOf(ctx, 'rule set'))
    ruleSetOf(base)
    const [{ from }, { to }] = [monthOf(asked.from), monthOf(asked.to)]
    if (from >= to) refuseField('to', 'after', 'rules.ends_before')
    if (to > new Date()) refuseField('to', 'over', 'rules.not_over')
    const run = await new AskForRun().handle({
      kind: 'compare_rules',
      partnerCode,
      language: languageOf(ctx),
      actor: ctx.actor,
      params: {
        candidate,
        base,
        from: from.toISOString(),
        to: to.toISOString(),
        partnerCodes: partnerCode === null ? null : [partnerCode],
      },
    })
    return redirectToRun(ctx, run)
  }
}
