import { roleValidator } from '#back_office/staff/staff_validators'
import { done } from '#staff_area/done'
import ChangeStaffRole from '#staff/actions/change_staff_role'
import type { HttpContext } from '@adonisjs/core/http'

export default class StaffRolesController {
  async update(ctx: HttpContext) {
    const input = await ctx.request.validateUsing(roleValidator)
    const { actor, params } = ctx
    await new ChangeStaffRole().handle({ ...input, id: Number(params.id), actor })
    return done(ctx, 'staff.role_changed')
  }
}
