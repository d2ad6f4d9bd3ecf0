import { answer, answerCreated } from '#partner_api/envelope'
import { email, refuseNull } from '#partner_api/customer_validator'
import { presentOrder, presentOrderWithTickets } from '#partner_api/orders/order_presenter'
import { check, onlyTrue, readQuery, text } from '#partner_api/validation'
import PlaceOrder from '#sales/place_order/place_order'
import { keepCustomer } from '#sales/customer'
import { findOrderByKey } from '#sales/queries/find_order'
import { refuse } from '#shared/refusals'
import type { HttpContext } from '@adonisjs/core/http'
import vine from '@vinejs/vine'

export const orderValidator = vine.create({
  booking_id: text(1, 64),
  partner_order_id: text(1, 64),
  customer: vine.object({
    name: text(0, 200).optional(),
    email: email(),
    phone: text(0, 32).optional(),
  }),
  consent: onlyTrue(),
})

export const orderQueryValidator = vine.create({ partner_order_id: text(1, 64) })

export default class OrdersController {
  async store(ctx: HttpContext) {
    refuseNull('customer', ctx.body.customer)
    const body = await check(orderValidator, ctx.body)
    const { order, repeated } = await new PlaceOrder().handle({
      partner: ctx.partner,
      actor: ctx.actor,
      bookingId: body.booking_id,
      partnerOrderId: body.partner_order_id,
      customer: keepCustomer(body.customer)!,
    })
    return answerCreated(ctx, presentOrder(order), repeated)
  }

  async index(ctx: HttpContext) {
    const query = readQuery(ctx.request.request.url!)
    const { partner_order_id: key } = await check(orderQueryValidator, query)
    const order = await findOrderByKey(ctx.partner.id, key)
    if (!order) refuse('ORDER_NOT_FOUND')
    return answer(ctx, presentOrderWithTickets(order))
  }
}
