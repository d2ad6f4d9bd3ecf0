import { refuse } from '#shared/refusals'
import { mayMeasure } from '#telemetry/access'
import { measure } from '#telemetry/services'
import type { HttpContext } from '@adonisjs/core/http'

/** For Prometheus; 404 for everybody else. */
export default class MetricsController {
  async show({ request, response }: HttpContext) {
    if (!mayMeasure(request.request)) refuse('NOT_FOUND')
    const { type, text } = await measure()
    response.header('Content-Type', type)
    return response.send(text)
  }
}
