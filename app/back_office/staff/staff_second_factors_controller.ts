import { reasonValidator } from '#back_office/staff/staff_validators'
import { redirectWithNotice } from '#staff_area/redirect_with_notice'
import ResetSecondFactor from '#staff/actions/reset_second_factor'
import type { HttpContext } from '@adonisjs/core/http'

export default class StaffSecondFactorsController {
  async destroy(ctx: HttpContext) {
    const { reason } = await ctx.request.validateUsing(reasonValidator)
    const { actor, params } = ctx
    await new ResetSecondFactor().handle({ id: Number(params.id), reason, actor })
    return redirectWithNotice(ctx, 'staff.second_factor_reset_done')
  }
}
