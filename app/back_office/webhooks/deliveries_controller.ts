import type { ServerProps } from '#staff_area/page_props'
import type { DeliveryPage } from '#back_office/webhooks/webhooks_props'
import { redirectWithNotice } from '#staff_area/redirect_with_notice'
import { idOf } from '#staff_area/id_of'
import { readDelivery } from '#back_office/webhooks/read_delivery'
import { refuse } from '#shared/refusals'
import PushDelivery from '#webhooks/actions/push_delivery'
import type { HttpContext } from '@adonisjs/core/http'

export default class DeliveriesController {
  async show({ inertia, params }: HttpContext) {
    const page = await readDelivery(String(params.id))
    if (!page) refuse('NO_SUCH', { what: 'delivery' })
    return inertia.render('webhooks/delivery', page satisfies ServerProps<DeliveryPage>)
  }

  async push(ctx: HttpContext) {
    const deliveryId = BigInt(idOf(ctx, 'delivery'))
    await new PushDelivery().handle({ deliveryId, actor: ctx.actor })
    return redirectWithNotice(ctx, 'webhooks.pushed')
  }
}
