import { readDelivery } from '#back_office/webhooks/read_delivery'
import { refuse } from '#shared/refusals'
import type { HttpContext } from '@adonisjs/core/http'

export default class DeliveriesController {
  async show({ inertia, params }: HttpContext) {
    const page = await readDelivery(String(params.id))
    if (!page) refuse('NO_SUCH', { what: 'delivery' })
    return inertia.render('webhooks/delivery', page)
  }
}
