import type { HttpContext } from '@adonisjs/core/http'

const opaque = (tag: string) => tag.trim().replace(/^W\//, '')

/**
 * Names the version of the answer, and whether the client has it already (RFC 9110, 13.1.2); then the status is 304.
 * A client's own `Cache-Control` speaks to caches on the way and not to us.
 */
export function hasVersion({ request, response }: HttpContext, etag: string): boolean {
  response.header('ETag', etag)
  const known = request.header('if-none-match')?.split(',').map(opaque) ?? []
  const isKnown = known.includes('*') || known.includes(opaque(etag))
  if (isKnown) response.status(304)
  return isKnown
}
