import { statusValidator } from '#back_office/partners/partner_validators'
import { done } from '#staff_area/done'
import ChangePartnerStatus from '#partners/actions/change_partner_status'
import type { HttpContext } from '@adonisjs/core/http'

/** Suspends or resumes. */
export default class PartnerStatusController {
  async update(ctx: HttpContext) {
    const { status: to, reason } = await ctx.request.validateUsing(statusValidator)
    const partnerCode = String(ctx.params.code)
    await new ChangePartnerStatus().handle({ partnerCode, to, reason, actor: ctx.actor })
    return done(ctx, to === 'suspended' ? 'partners.suspended' : 'partners.resumed')
  }
}
