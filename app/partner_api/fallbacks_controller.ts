import { OPERATIONS, PUBLIC_READS } from '#partner_api/operations'
import { PREFIX } from '#partner_api/prefix'
import { refuse } from '#shared/refusals'
import type { HttpContext } from '@adonisjs/core/http'

const toPattern = (path: string) => new RegExp(`^${PREFIX}${path.replace(/:\w+/g, '[^/]+')}/?$`)

/** Requests that match no operation: 405 when the path exists with another method, otherwise 404. */
export default class FallbacksController {
  handle({ request, response }: HttpContext) {
    const path = request.url()
    const allow = [...OPERATIONS, ...PUBLIC_READS]
      .filter(([, , pattern]) => toPattern(pattern).test(path))
      .map(([, method]) => method)
    if (allow.length === 0) refuse('NOT_FOUND')
    response.header('Allow', allow.join(', '))
    refuse('METHOD_NOT_ALLOWED', { allow })
  }
}
