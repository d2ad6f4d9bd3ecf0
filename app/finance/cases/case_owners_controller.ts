import { caseOwnerValidator } from '#finance/cases/case_validators'
import { undoOfTaking, unsealBefore } from '#finance/cases/case_undo'
import { UNDO_REASON, redirectWithUndo } from '#staff_area/undo'
import { idOf } from '#staff_area/id_of'
import TakeCase from '#case_work/take_case'
import type { HttpContext } from '@adonisjs/core/http'

export default class CaseOwnersController {
  async update(ctx: HttpContext) {
    const { version, isTaken, before } = await ctx.request.validateUsing(caseOwnerValidator)
    const { actor } = ctx
    const seen = { caseId: idOf(ctx, 'case'), version }
    const undone = before && { before: unsealBefore(before, seen, actor), reason: UNDO_REASON }
    const changed = await new TakeCase().handle({ ...seen, isTaken, actor, ...undone })
    const undo = undoOfTaking(isTaken, changed, actor)
    return redirectWithUndo(ctx, isTaken ? 'cases.taken' : 'cases.left', { id: seen.caseId }, undo)
  }
}
