import { momentCell, sendCsv } from '#staff_area/export'
import { headingsOf } from '#staff_area/export_headings'
import { filtersOf } from '#staff_area/lists'
import { listDeliveries } from '#back_office/webhooks/list_deliveries'
import { DELIVERY_FILTERS } from '#back_office/webhooks/webhooks_props'
import type { HttpContext } from '@adonisjs/core/http'

export default class DeliveryExportsController {
  async index(ctx: HttpContext) {
    await sendCsv(ctx, {
      list: 'webhook_deliveries',
      filters: filtersOf(ctx, DELIVERY_FILTERS),
      page: listDeliveries,
      headings: headingsOf('webhook_deliveries'),
      columns: {
        id: (delivery) => delivery.id,
        webhook_id: (delivery) => delivery.webhookId,
        created_at: (delivery) => momentCell(delivery.createdAt),
        partner: (delivery) => delivery.partner,
        news: (delivery) => delivery.news,
        subject: (delivery) => delivery.subject,
        status: (delivery) => delivery.status,
        attempts: (delivery) => delivery.attempts,
        next_at: (delivery) => (delivery.status === 'pending' ? momentCell(delivery.nextAt) : null),
        last_failure: (delivery) => delivery.lastFailure,
      },
    })
  }
}
