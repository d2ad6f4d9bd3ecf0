import platform from '#config/platform'
import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

const LOOPBACK = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1'])
const FORWARDING = ['forwarded', 'x-forwarded-for', 'x-real-ip']

/** Whether the request may read metrics: with the token, or from this machine and not through a proxy. */
export function mayMeasure({ headers, socket }: IncomingMessage): boolean {
  if (platform.metricsToken && isToken(headers.authorization, platform.metricsToken)) return true
  const isForwarded = FORWARDING.some((name) => headers[name] !== undefined)
  return !isForwarded && LOOPBACK.has(socket.remoteAddress ?? '')
}

const digest = (text: string) => createHash('sha256').update(text).digest()

const isToken = (authorization = '', token: string) =>
  timingSafeEqual(digest(authorization), digest(`Bearer ${token}`))
