import { endpointValidator } from '#back_office/partners/partner_validators'
import { redirectWithNotice } from '#staff_area/redirect_with_notice'
import SetEndpoint from '#webhooks/actions/set_endpoint'
import type { HttpContext } from '@adonisjs/core/http'

/** Where a partner is told of changes. */
export default class PartnerEndpointController {
  async update(ctx: HttpContext) {
    const { url } = await ctx.request.validateUsing(endpointValidator)
    const partnerCode = String(ctx.params.code)
    await new SetEndpoint().handle({ partnerCode, url, actor: ctx.actor })
    return redirectWithNotice(ctx, 'partners.endpoint_set')
  }
}
