import { caseNoteValidator } from '#finance/cases/case_validators'
import { redirectWithNotice } from '#staff_area/redirect_with_notice'
import { idOf } from '#staff_area/id_of'
import AddCaseNote from '#case_work/add_case_note'
import type { HttpContext } from '@adonisjs/core/http'

export default class CaseNotesController {
  async store(ctx: HttpContext) {
    const { text } = await ctx.request.validateUsing(caseNoteValidator)
    await new AddCaseNote().handle({ caseId: idOf(ctx, 'case'), text, actor: ctx.actor })
    return redirectWithNotice(ctx, 'cases.noted')
  }
}
