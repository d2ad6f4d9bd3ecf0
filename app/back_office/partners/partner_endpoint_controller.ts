import { endpointValidator } from '#back_office/partners/partner_validators'
import { done } from '#staff_area/done'
import SetEndpoint from '#webhooks/actions/set_endpoint'
import type { HttpContext } from '@adonisjs/core/http'

/** Where a partner is told of changes. */
export default class PartnerEndpointController {
  async update(ctx: HttpContext) {
    const { url } = await ctx.request.validateUsing(endpointValidator)
    const partnerCode = String(ctx.params.code)
    await new SetEndpoint().handle({ partnerCode, url, actor: ctx.actor })
    return done(ctx, 'partners.endpoint_set')
  }
}
