import { listOrders, ORDER_FILTERS } from '#back_office/orders/list_orders'
import { sendCsv } from '#back_office/shell/export'
import { filtersOf } from '#back_office/shell/lists'
import type { HttpContext } from '@adonisjs/core/http'

const COLUMNS = [
  ...['order_id', 'created_at', 'status', 'partner', 'event_id', 'event', 'buyer', 'seats'],
  'total_tenge',
]

export default class OrderExportsController {
  async index(ctx: HttpContext) {
    await sendCsv(ctx, {
      ...{ list: 'orders', filters: filtersOf(ctx, ORDER_FILTERS), columns: COLUMNS },
      page: listOrders,
      cells: (order) => [
        ...[order.id, order.createdAt, order.status, order.partner, order.eventId, order.event.ru],
        ...[order.buyer, order.seats, order.totalTenge],
      ],
    })
  }
}
