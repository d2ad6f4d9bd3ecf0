import { penaltyValidator } from '#finance/cases/case_validators'
import { redirectWithNotice } from '#staff_area/redirect_with_notice'
import { idOf } from '#staff_area/id_of'
import AskForPenalty from '#penalties/ask_for_penalty'
import type { HttpContext } from '@adonisjs/core/http'

export default class CasePenaltiesController {
  async store(ctx: HttpContext) {
    const { reason } = await ctx.request.validateUsing(penaltyValidator)
    const asked = { caseId: idOf(ctx, 'case'), reason, actor: ctx.actor }
    const { isApproved } = await new AskForPenalty().handle(asked)
    return redirectWithNotice(ctx, isApproved ? 'cases.penalty_made' : 'cases.penalty_waits')
  }
}
