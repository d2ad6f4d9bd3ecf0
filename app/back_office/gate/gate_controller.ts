import { listGateEvents } from '#back_office/gate/gate_events'
import type { HttpContext } from '@adonisjs/core/http'

/** Where staff with a phone let guests in. */
export default class GateController {
  async show({ inertia, response }: HttpContext) {
    response.header('Permissions-Policy', 'camera=(self)')
    const events = await listGateEvents()
    return inertia.render('gate/show', { events })
  }
}
