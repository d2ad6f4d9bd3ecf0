import { MOST_ORDERS_OF_BUYER, readBuyerOfOrder } from '#back_office/orders/read_buyer'
import { messages, reason } from '#staff_area/form_fields'
import { redirectWithNotice } from '#staff_area/redirect_with_notice'
import EraseBuyer from '#privacy/erase_buyer'
import type { BuyerSearch } from '#privacy/find_buyer'
import { refuse, refuseField } from '#shared/refusals'
import type { HttpContext } from '@adonisjs/core/http'
import vine from '@vinejs/vine'

const LONGEST_ID = 40

const erasureValidator = vine.create({
  scope: vine.enum(['order', 'email'] as const),
  /** The order's number, typed. */
  confirmation: vine.string().trim().maxLength(LONGEST_ID),
  reason: reason(),
})
erasureValidator.messagesProvider = messages

/** Erases the buyer of an order, for ever: of this order alone, or of all with the same e-mail. */
export default class BuyerErasuresController {
  async store(ctx: HttpContext) {
    const input = await ctx.request.validateUsing(erasureValidator)
    const orderId = String(ctx.params.id)
    const buyer = await readBuyerOfOrder(orderId)
    if (!buyer) refuse('ORDER_NOT_FOUND')
    if (input.confirmation !== orderId)
      refuseField('confirmation', 'confirmation', 'fields.not_the_word')
    if (buyer.isErased || buyer.isStillBuying) refuse('STALE')
    const search: BuyerSearch =
      input.scope === 'order'
        ? { foundBy: 'order', text: orderId }
        : { foundBy: 'email', text: buyer.email }
    const { orders } = await new EraseBuyer().handle({
      ...search,
      reason: input.reason,
      actor: ctx.actor,
      most: MOST_ORDERS_OF_BUYER,
    })
    return redirectWithNotice(ctx, 'orders.erased', { orders })
  }
}
