import { answer } from '#partner_api/envelope'
import { presentOrderWithTickets } from '#partner_api/orders/order_presenter'
import CancelOrder from '#sales/cancel_order/cancel_order'
import { readOrderId } from '#partner_api/orders/order_id'
import type { HttpContext } from '@adonisjs/core/http'

export default class OrderCancellationsController {
  async store(ctx: HttpContext) {
    const { partner, actor, params } = ctx
    const orderId = readOrderId(params.order_id)
    const order = await new CancelOrder().handle({ partnerId: partner.id, actor, orderId })
    return answer(ctx, presentOrderWithTickets(order))
  }
}
