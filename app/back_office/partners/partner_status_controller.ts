import { statusValidator } from '#back_office/partners/partner_validators'
import { redirectWithNotice } from '#staff_area/redirect_with_notice'
import ChangePartnerStatus from '#partners/actions/change_partner_status'
import type { HttpContext } from '@adonisjs/core/http'

/** Suspends or resumes. */
export default class PartnerStatusController {
  async update(ctx: HttpContext) {
    const { status: to, reason } = await ctx.request.validateUsing(statusValidator)
    const partnerCode = String(ctx.params.code)
    await new ChangePartnerStatus().handle({ partnerCode, to, reason, actor: ctx.actor })
    return redirectWithNotice(ctx, to === 'suspended' ? 'partners.suspended' : 'partners.resumed')
  }
}
