import { reasonValidator } from '#back_office/staff/staff_validators'
import { done } from '#staff_area/done'
import { tellOnce } from '#staff_area/once'
import ResetPassword from '#staff/actions/reset_password'
import type { HttpContext } from '@adonisjs/core/http'

export default class StaffPasswordsController {
  async store(ctx: HttpContext) {
    const { reason } = await ctx.request.validateUsing(reasonValidator)
    const { actor, params } = ctx
    const { password } = await new ResetPassword().handle({ id: Number(params.id), reason, actor })
    tellOnce(ctx, password)
    return done(ctx, 'staff.password_reset_done')
  }
}
