import { readOrder } from '#back_office/orders/read_order'
import { done } from '#back_office/shell/done'
import { messages, reason } from '#back_office/shell/act_validator'
import RefundTickets from '#sales/actions/refund_tickets'
import { refuse } from '#shared/refusals'
import type { HttpContext } from '@adonisjs/core/http'
import vine from '@vinejs/vine'

const LONGEST_ID = 40

const refundValidator = vine.create({
  ticketIds: vine.array(vine.string().maxLength(LONGEST_ID)).minLength(1),
  reason: reason(),
  returnsSeats: vine.boolean(),
})
refundValidator.messagesProvider = messages

/** Voids tickets of an order because the money goes back to the buyer. */
export default class OrderRefundsController {
  async store(ctx: HttpContext) {
    const input = await ctx.request.validateUsing(refundValidator)
    const page = await readOrder(String(ctx.params.id))
    if (!page) refuse('ORDER_NOT_FOUND')
    const { id: orderId, partnerId } = page.order
    await new RefundTickets().handle({ ...input, orderId, partnerId, actor: ctx.actor })
    return done(ctx, 'orders.refunded', { tickets: input.ticketIds.length })
  }
}
