import { caseOwnerValidator } from '#finance/cases/case_validators'
import { redirectWithNotice } from '#staff_area/redirect_with_notice'
import { idOf } from '#staff_area/id_of'
import TakeCase from '#case_work/take_case'
import type { HttpContext } from '@adonisjs/core/http'

export default class CaseOwnersController {
  async update(ctx: HttpContext) {
    const { version, isTaken } = await ctx.request.validateUsing(caseOwnerValidator)
    const caseId = idOf(ctx, 'case')
    await new TakeCase().handle({ caseId, version, isTaken, actor: ctx.actor })
    return redirectWithNotice(ctx, isTaken ? 'cases.taken' : 'cases.left', { id: caseId })
  }
}
