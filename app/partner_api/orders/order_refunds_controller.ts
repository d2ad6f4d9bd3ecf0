import platform from '#config/platform'
import { answer } from '#partner_api/envelope'
import { readOrderId } from '#partner_api/orders/order_id'
import { presentOrderWithTickets } from '#partner_api/orders/order_presenter'
import { check, text } from '#partner_api/validation'
import VoidTickets from '#sales/void_tickets/void_tickets'
import { refuse } from '#shared/refusals'
import type { HttpContext } from '@adonisjs/core/http'
import vine from '@vinejs/vine'

export const refundValidator = vine.create({
  ticket_ids: vine.array(text(1, 64)).minLength(1).maxLength(20).distinct(),
  reason: text(1, 500),
})

export default class OrderRefundsController {
  async store(ctx: HttpContext) {
    if (platform.contractPhase === 1) refuse('NOT_FOUND')
    const body = await check(refundValidator, ctx.body)
    const order = await new VoidTickets().handle({
      partnerId: ctx.partner.id,
      actor: ctx.actor,
      orderId: readOrderId(ctx.params.order_id),
      ticketIds: body.ticket_ids,
      cause: 'refund',
      reason: body.reason,
      returnsSeats: true,
    })
    return answer(ctx, presentOrderWithTickets(order))
  }
}
