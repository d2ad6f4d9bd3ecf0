import { monthValidator } from '#finance/cases/case_validators'
import { redirectToRun } from '#finance/redirect_to_run'
import { languageOf } from '#staff_area/language_of'
import { periodAround } from '#ledger/periods'
import { midnightOf } from '#shared/days'
import AskForRun from '#runs/ask_for_run/ask_for_run'
import type { HttpContext } from '@adonisjs/core/http'

export default class CaseChecksController {
  /** Asks for a run that judges a partner's month again. */
  async store(ctx: HttpContext) {
    const { month } = await ctx.request.validateUsing(monthValidator)
    const partnerCode = String(ctx.params.code)
    const { from, to } = periodAround(midnightOf(`${month}-01`), 'month')
    const run = await new AskForRun().handle({
      kind: 'check_period',
      partnerCode,
      language: languageOf(ctx),
      actor: ctx.actor,
      params: { partnerCode, from: from.toISOString(), to: to.toISOString() },
    })
    return redirectToRun(ctx, run)
  }
}
