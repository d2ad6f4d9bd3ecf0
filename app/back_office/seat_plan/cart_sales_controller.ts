import { redirectWithNotice } from '#staff_area/redirect_with_notice'
import { SellToStorefront } from '#inventory/actions/storefront'
import type { HttpContext } from '@adonisjs/core/http'

/** Sells what a cart of the counter holds. */
export default class CartSalesController {
  async store(ctx: HttpContext) {
    const cart = {
      eventId: String(ctx.params.id),
      cartId: String(ctx.params.cart),
      actor: ctx.actor,
    }
    return redirectWithNotice(ctx, 'plan.sold_done', await new SellToStorefront().handle(cart))
  }
}
