import { OPERATIONS, PUBLIC_READS } from '#partner_api/operations'
import { PREFIX } from '#partner_api/prefix'
import { refuse } from '#shared/refusals'
import type { HttpContext } from '@adonisjs/core/http'

const toPattern = (path: string) => new RegExp(`^${PREFIX}${path.replace(/:\w+/g, '[^/]+')}/?$`)

/** Each path with its methods; only reads without a signature answer HEAD. */
const PATHS: { path: RegExp; methods: string[] }[] = [
  ...OPERATIONS.map(([, method, path]) => ({ path: toPattern(path), methods: [method] })),
  ...PUBLIC_READS.map(([, method, path]) => ({ path: toPattern(path), methods: [method, 'HEAD'] })),
]

/** Requests that match no operation: 405 when the path exists with another method, otherwise 404. */
export default class FallbacksController {
  handle({ request, response }: HttpContext) {
    const url = request.url()
    const allow = PATHS.filter(({ path }) => path.test(url)).flatMap(({ methods }) => methods)
    if (allow.length === 0) refuse('NOT_FOUND')
    response.header('Allow', allow.join(', '))
    refuse('METHOD_NOT_ALLOWED', { allow })
  }
}
