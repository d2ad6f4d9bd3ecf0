import { reasonValidator } from '#back_office/staff/staff_validators'
import { redirectWithNotice } from '#staff_area/redirect_with_notice'
import { flashSecret } from '#staff_area/flash_secret'
import ResetPassword from '#staff/actions/reset_password'
import type { HttpContext } from '@adonisjs/core/http'

export default class StaffPasswordsController {
  async store(ctx: HttpContext) {
    const { reason } = await ctx.request.validateUsing(reasonValidator)
    const { actor, params } = ctx
    const { password } = await new ResetPassword().handle({ id: Number(params.id), reason, actor })
    flashSecret(ctx, password)
    return redirectWithNotice(ctx, 'staff.password_reset_done')
  }
}
