import { askerOf } from '#finance/registers/register_work'
import { confirmationValidator } from '#finance/registers/register_validators'
import { redirectWithNotice } from '#staff_area/redirect_with_notice'
import { idOf } from '#staff_area/id_of'
import ConfirmRegister from '#reconciliation/actions/confirm_register'
import type { HttpContext } from '@adonisjs/core/http'

export default class RegisterConfirmationsController {
  async store(ctx: HttpContext) {
    const given = await ctx.request.validateUsing(confirmationValidator)
    const registerId = idOf(ctx, 'register')
    const { reason, ...input } = given
    const waiver = reason ? { reason } : undefined
    await new ConfirmRegister().handle({ registerId, ...input, waiver, ...askerOf(ctx) })
    return redirectWithNotice(ctx, 'registers.confirmed')
  }
}
