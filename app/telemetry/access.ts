import platform from '#config/platform'
import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/**
 * Whether the request may read metrics: only with the token. That it comes from this machine says nothing, since a proxy on this
 * machine passes on requests of everybody, and need not add a header.
 */
export function mayMeasure({ headers }: IncomingMessage): boolean {
  return platform.metricsToken !== null && isToken(headers.authorization, platform.metricsToken)
}

const digest = (text: string) => createHash('sha256').update(text).digest()

const isToken = (authorization = '', token: string) =>
  timingSafeEqual(digest(authorization), digest(`Bearer ${token}`))
