import { standingValidator } from '#back_office/staff/staff_validators'
import { redirectWithNotice } from '#staff_area/redirect_with_notice'
import DisableStaff from '#staff/actions/disable_staff'
import EnableStaff from '#staff/actions/enable_staff'
import type { HttpContext } from '@adonisjs/core/http'

/** Disables and enables a person's account. */
export default class StaffStandingsController {
  async update(ctx: HttpContext) {
    const { reason, standing } = await ctx.request.validateUsing(standingValidator)
    const input = { id: Number(ctx.params.id), reason, actor: ctx.actor }
    if (standing === 'enabled') await new EnableStaff().handle(input)
    else await new DisableStaff().handle(input)
    return redirectWithNotice(ctx, `staff.${standing}_done`)
  }
}
