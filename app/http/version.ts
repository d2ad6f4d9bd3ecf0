import type { HttpContext } from '@adonisjs/core/http'

const opaque = (tag: string) => tag.trim().replace(/^W\//, '')

/**
 * Sets the ETag; true when the client has this version already, and then the status is 304 (RFC 9110, 13.1.2).
 * A client's `Cache-Control` is for caches on the way, so it is ignored here.
 */
export function hasVersion({ request, response }: HttpContext, etag: string): boolean {
  response.header('ETag', etag)
  const known = request.header('if-none-match')?.split(',').map(opaque) ?? []
  const isKnown = known.includes('*') || known.includes(opaque(etag))
  if (isKnown) response.status(304)
  return isKnown
}
