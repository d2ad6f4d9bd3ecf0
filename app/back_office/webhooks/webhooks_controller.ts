import { messages } from '#staff_area/form_fields'
import { partnerChoices } from '#staff_area/partner_choices'
import { redirectWithNotice } from '#staff_area/redirect_with_notice'
import { filtersOf } from '#staff_area/lists'
import { listDeliveries, selectEndpoints } from '#back_office/webhooks/list_deliveries'
import { DELIVERY_FILTERS, type WebhooksPage } from '#back_office/webhooks/webhooks_props'
import type { ServerProps } from '#staff_area/page_props'
import PingEndpoint from '#webhooks/actions/ping_endpoint'
import ReplayDeliveries from '#webhooks/actions/replay_deliveries'
import { PARTNER_NEWS } from '#webhooks/partner_news'
import type { HttpContext } from '@adonisjs/core/http'
import vine from '@vinejs/vine'

const MOST = 500

const replayValidator = vine.create({
  /** Omitted: all failed and held deliveries. */
  webhookIds: vine.array(vine.string().uuid()).minLength(1).maxLength(MOST).optional(),
})
replayValidator.messagesProvider = messages

export default class WebhooksController {
  async index(ctx: HttpContext) {
    const filters = filtersOf(ctx, DELIVERY_FILTERS)
    const [endpoints, deliveries, partners] = await Promise.all([
      selectEndpoints({}),
      listDeliveries(filters),
      partnerChoices({}),
    ])
    return ctx.inertia.render('webhooks/index', {
      filters,
      endpoints,
      deliveries,
      partners,
      news: PARTNER_NEWS,
    } satisfies ServerProps<WebhooksPage>)
  }

  async ping(ctx: HttpContext) {
    await new PingEndpoint().handle({ partnerCode: String(ctx.params.partner) })
    return redirectWithNotice(ctx, 'webhooks.pinged')
  }

  async replay(ctx: HttpContext) {
    const { webhookIds = null } = await ctx.request.validateUsing(replayValidator)
    const partnerCode = String(ctx.params.partner)
    const input = { partnerCode, webhookIds, since: null, actor: ctx.actor }
    const deliveries = await new ReplayDeliveries().handle(input)
    return redirectWithNotice(ctx, 'webhooks.replayed', { deliveries })
  }
}
