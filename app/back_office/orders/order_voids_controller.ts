import { findOrderPartner } from '#back_office/orders/read_order'
import { redirectWithNotice } from '#staff_area/redirect_with_notice'
import { messages, reason } from '#staff_area/form_fields'
import VoidTickets from '#sales/void_tickets/void_tickets'
import { refuse } from '#shared/refusals'
import type { HttpContext } from '@adonisjs/core/http'
import vine from '@vinejs/vine'

const LONGEST_ID = 40
const DONE = { refund: 'orders.refunded', platform: 'orders.voided' } as const

const voidValidator = vine.create({
  ticketIds: vine.array(vine.string().maxLength(LONGEST_ID)).minLength(1),
  cause: vine.enum(['refund', 'platform'] as const),
  reason: reason(),
  returnsSeats: vine.boolean(),
})
voidValidator.messagesProvider = messages

/** Voids tickets of an order, as a refund by the partner or by decision of the platform. */
export default class OrderVoidsController {
  async store(ctx: HttpContext) {
    const input = await ctx.request.validateUsing(voidValidator)
    const orderId = String(ctx.params.id)
    const order = await findOrderPartner.first({ orderId })
    if (!order) refuse('ORDER_NOT_FOUND')
    const { partnerId } = order
    await new VoidTickets().handle({ ...input, orderId, partnerId, actor: ctx.actor })
    return redirectWithNotice(ctx, DONE[input.cause], { tickets: input.ticketIds.length })
  }
}
