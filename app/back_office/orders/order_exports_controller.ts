import { listOrders } from '#back_office/orders/list_orders'
import { ORDER_FILTERS } from '#back_office/orders/orders_props'
import { momentCell, sendCsv } from '#staff_area/export'
import { headingsOf } from '#staff_area/export_headings'
import { filtersOf } from '#staff_area/lists'
import type { HttpContext } from '@adonisjs/core/http'

export default class OrderExportsController {
  async index(ctx: HttpContext) {
    await sendCsv(ctx, {
      list: 'orders',
      // Always the newest first: it has more orders than can be sorted by their totals.
      filters: { ...filtersOf(ctx, ORDER_FILTERS), sort: null },
      page: listOrders,
      headings: headingsOf('orders'),
      columns: {
        order_id: (order) => order.id,
        created_at: (order) => momentCell(order.createdAt),
        status: (order) => order.status,
        partner: (order) => order.partner,
        event_id: (order) => order.eventId,
        event: (order) => order.event.ru,
        buyer: (order) => order.buyer,
        seats: (order) => order.seats,
        total_tenge: (order) => order.totalTenge,
      },
    })
  }
}
