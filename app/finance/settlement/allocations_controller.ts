import { allocationValidator, noteValidator } from '#finance/settlement/settlement_validators'
import { idOf } from '#staff_area/id_of'
import { redirectWithNotice } from '#staff_area/redirect_with_notice'
import AllocateCredit, { UndoAllocation } from '#ledger/actions/allocate_credit'
import type { HttpContext } from '@adonisjs/core/http'

export default class AllocationsController {
  async store(ctx: HttpContext) {
    const { credit, debit, amountTenge } = await ctx.request.validateUsing(allocationValidator)
    await new AllocateCredit().handle({
      partnerCode: String(ctx.params.code),
      credit,
      debit,
      amountTenge: BigInt(amountTenge),
      actor: ctx.actor,
    })
    return redirectWithNotice(ctx, 'settlement.allocated')
  }

  async destroy(ctx: HttpContext) {
    const { reason } = await ctx.request.validateUsing(noteValidator)
    await new UndoAllocation().handle({
      partnerCode: String(ctx.params.code),
      allocationId: idOf(ctx, 'allocation'),
      reason,
      actor: ctx.actor,
    })
    return redirectWithNotice(ctx, 'settlement.allocation_undone')
  }
}
