import { listOrders, ORDER_FILTERS } from '#back_office/orders/list_orders'
import { readOrder } from '#back_office/orders/read_order'
import { partnerChoices } from '#back_office/shell/choices'
import { filtersOf } from '#back_office/shell/lists'
import platform from '#config/platform'
import { refuse } from '#shared/refusals'
import type { HttpContext } from '@adonisjs/core/http'

export default class OrdersController {
  async index(ctx: HttpContext) {
    const filters = filtersOf(ctx, ORDER_FILTERS)
    const [orders, partners] = await Promise.all([listOrders(filters), partnerChoices([])])
    return ctx.inertia.render('orders/index', { filters, orders, partners })
  }

  async show({ inertia, params }: HttpContext) {
    const page = await readOrder(String(params.id))
    if (!page) refuse('ORDER_NOT_FOUND')
    return inertia.render('orders/show', { ...page, returnsSeats: platform.contractPhase === 2 })
  }
}
