import { memoValidator, noteValidator } from '#finance/settlement/settlement_validators'
import { idOf } from '#staff_area/id_of'
import { redirectWithNotice } from '#staff_area/redirect_with_notice'
import { ApproveMemo, RequestMemo, DeclineMemo, ReverseMemo } from '#ledger/actions/memos'
import type { HttpContext } from '@adonisjs/core/http'

export default class MemosController {
  async store(ctx: HttpContext) {
    const { amountTenge, statementId, ...memo } = await ctx.request.validateUsing(memoValidator)
    const { isApproved } = await new RequestMemo().handle({
      ...memo,
      partnerCode: String(ctx.params.code),
      amountTenge: BigInt(amountTenge),
      origin: statementId ? { statementId, line: null } : null,
      actor: ctx.actor,
    })
    return redirectWithNotice(ctx, isApproved ? 'settlement.memo_made' : 'settlement.memo_waits')
  }

  async approve(ctx: HttpContext) {
    await new ApproveMemo().handle({ memoId: idOf(ctx, 'memo'), actor: ctx.actor })
    return redirectWithNotice(ctx, 'settlement.memo_made')
  }

  async reverse(ctx: HttpContext) {
    const { reason } = await ctx.request.validateUsing(noteValidator)
    const { isApproved } = await new ReverseMemo().handle({
      memoId: idOf(ctx, 'memo'),
      reason,
      actor: ctx.actor,
    })
    return redirectWithNotice(
      ctx,
      isApproved ? 'settlement.memo_reversed' : 'settlement.memo_waits'
    )
  }

  async decline(ctx: HttpContext) {
    const { reason: note } = await ctx.request.validateUsing(noteValidator)
    await new DeclineMemo().handle({ memoId: idOf(ctx, 'memo'), note, actor: ctx.actor })
    return redirectWithNotice(ctx, 'settlement.memo_declined')
  }
}
