import { askerOf } from '#finance/registers/register_work'
import { feeRuleValidator } from '#finance/registers/register_validators'
import { redirectWithNotice } from '#staff_area/redirect_with_notice'
import { idOf } from '#staff_area/id_of'
import DecideFeeRule from '#reconciliation/actions/decide_fee_rule'
import type { HttpContext } from '@adonisjs/core/http'

export default class RegisterFeeRulesController {
  async update(ctx: HttpContext) {
    const given = await ctx.request.validateUsing(feeRuleValidator)
    const registerId = idOf(ctx, 'register')
    await new DecideFeeRule().handle({ registerId, ...given, ...askerOf(ctx) })
    return redirectWithNotice(ctx, given.isKept ? 'registers.fee_kept' : 'registers.fee_dropped')
  }
}
