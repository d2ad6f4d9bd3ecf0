import { listCarts } from '#back_office/seat_plan/list_carts'
import { holdValidator } from '#back_office/seat_plan/seats_validator'
import { redirectWithNotice } from '#staff_area/redirect_with_notice'
import { HoldForStorefront, ReleaseFromStorefront } from '#inventory/actions/storefront'
import type { HttpContext } from '@adonisjs/core/http'

/** Carts of the counter: lists, holds and releases seats. */
export default class CartsController {
  async index({ params, response }: HttpContext) {
    return response.json({ carts: await listCarts({ paramsId: String(params.id) }) })
  }

  async store(ctx: HttpContext) {
    const { seats, minutes } = await ctx.request.validateUsing(holdValidator)
    const eventId = String(ctx.params.id)
    const hold = { eventId, seats, holdSeconds: minutes * 60, actor: ctx.actor }
    await new HoldForStorefront().handle(hold)
    return redirectWithNotice(ctx, 'plan.held_done', { seats: seats.length, minutes })
  }

  async destroy(ctx: HttpContext) {
    const cart = {
      eventId: String(ctx.params.id),
      cartId: String(ctx.params.cart),
      actor: ctx.actor,
    }
    return redirectWithNotice(ctx, 'plan.released', await new ReleaseFromStorefront().handle(cart))
  }
}
