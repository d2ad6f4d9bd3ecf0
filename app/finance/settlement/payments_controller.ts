import { namingExisting } from '#finance/settlement/existing_payment'
import {
  paymentReversalValidator,
  paymentValidator,
} from '#finance/settlement/settlement_validators'
import { idOf } from '#staff_area/id_of'
import { redirectWithNotice } from '#staff_area/redirect_with_notice'
import RecordPayment from '#ledger/actions/record_payment'
import ReversePayment from '#ledger/actions/reverse_payment'
import type { HttpContext } from '@adonisjs/core/http'

export default class PaymentsController {
  async store(ctx: HttpContext) {
    const { amountTenge, parts, ...payment } = await ctx.request.validateUsing(paymentValidator)
    const input = {
      ...payment,
      partnerCode: String(ctx.params.code),
      amountTenge: BigInt(amountTenge),
      parts: parts.map((part) => ({ ...part, amountTenge: BigInt(part.amountTenge) })),
      actor: ctx.actor,
    }
    const { requestId } = await namingExisting(ctx, new RecordPayment().handle(input))
    const key = requestId === null ? 'payment_recorded' : 'request_waits'
    return redirectWithNotice(ctx, `settlement.${key}`)
  }

  async reverse(ctx: HttpContext) {
    const reversal = await ctx.request.validateUsing(paymentReversalValidator)
    const input = { ...reversal, paymentId: idOf(ctx, 'payment'), actor: ctx.actor }
    const { requestId } = await namingExisting(ctx, new ReversePayment().handle(input))
    const key = requestId === null ? 'payment_reversed' : 'request_waits'
    return redirectWithNotice(ctx, `settlement.${key}`)
  }
}
