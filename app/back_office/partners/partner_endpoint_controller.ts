import { endpointValidator } from '#back_office/partners/partner_validators'
import { redirectWithNotice } from '#staff_area/redirect_with_notice'
import SetEndpoint from '#webhooks/actions/set_endpoint'
import type { HttpContext } from '@adonisjs/core/http'

/** The endpoint that receives a partner's webhooks. */
export default class PartnerEndpointController {
  async update(ctx: HttpContext) {
    const { url } = await ctx.request.validateUsing(endpointValidator)
    const partnerCode = String(ctx.params.code)
    await new SetEndpoint().handle({ partnerCode, url, actor: ctx.actor })
    return redirectWithNotice(ctx, 'partners.endpoint_set')
  }
}
