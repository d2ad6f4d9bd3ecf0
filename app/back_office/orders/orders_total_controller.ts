import { readOrdersTotal } from '#back_office/orders/list_orders'
import { ORDER_FILTERS } from '#back_office/orders/orders_props'
import { filtersOf } from '#staff_area/lists'
import type { HttpContext } from '@adonisjs/core/http'

/** Asked for by the list of orders, which must not wait for it. */
export default class OrdersTotalController {
  async show(ctx: HttpContext) {
    return ctx.response.json(await readOrdersTotal(filtersOf(ctx, ORDER_FILTERS)))
  }
}
