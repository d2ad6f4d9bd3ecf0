import { namingExisting } from '#finance/settlement/existing_payment'
import { noteValidator } from '#finance/settlement/settlement_validators'
import { idOf } from '#staff_area/id_of'
import { redirectWithNotice } from '#staff_area/redirect_with_notice'
import { ApproveRequest, DeclineRequest } from '#ledger/actions/decide_request'
import type { HttpContext } from '@adonisjs/core/http'

export default class RequestsController {
  async approve(ctx: HttpContext) {
    const approval = { requestId: idOf(ctx, 'request'), actor: ctx.actor }
    await namingExisting(ctx, new ApproveRequest().handle(approval))
    return redirectWithNotice(ctx, 'settlement.request_approved')
  }

  async decline(ctx: HttpContext) {
    const { reason: note } = await ctx.request.validateUsing(noteValidator)
    await new DeclineRequest().handle({ requestId: idOf(ctx, 'request'), note, actor: ctx.actor })
    return redirectWithNotice(ctx, 'settlement.request_declined')
  }
}
