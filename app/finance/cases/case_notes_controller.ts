import { caseNoteValidator } from '#finance/cases/case_validators'
import { redirectWithNotice } from '#staff_area/redirect_with_notice'
import { idOf } from '#staff_area/id_of'
import NoteCase from '#defects/cases/note_case'
import type { HttpContext } from '@adonisjs/core/http'

export default class CaseNotesController {
  async store(ctx: HttpContext) {
    const { text } = await ctx.request.validateUsing(caseNoteValidator)
    await new NoteCase().handle({ caseId: idOf(ctx, 'case'), text, actor: ctx.actor })
    return redirectWithNotice(ctx, 'cases.noted')
  }
}
