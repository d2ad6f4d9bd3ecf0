import { roleValidator } from '#back_office/staff/staff_validators'
import { redirectWithNotice } from '#staff_area/redirect_with_notice'
import ChangeStaffRole from '#staff/actions/change_staff_role'
import type { HttpContext } from '@adonisjs/core/http'

export default class StaffRolesController {
  async update(ctx: HttpContext) {
    const input = await ctx.request.validateUsing(roleValidator)
    const { actor, params } = ctx
    await new ChangeStaffRole().handle({ ...input, id: Number(params.id), actor })
    return redirectWithNotice(ctx, 'staff.role_changed')
  }
}
