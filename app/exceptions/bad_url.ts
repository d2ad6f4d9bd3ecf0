import platform from '#config/platform'
import { requestIdFor } from '#shared/request_id'
import type { IncomingMessage, ServerResponse } from 'node:http'

/** A path with broken percent-encoding never reaches a door; it is told in the envelope all the same. */
export async function answerBadUrl(request: IncomingMessage, response: ServerResponse) {
  const message = 'The path is not correctly percent-encoded'
  const error = { code: 'NOT_FOUND', message, details: {} }
  response.writeHead(404, {
    'Content-Type': 'application/json; charset=utf-8',
    'X-Request-Id': requestIdFor(request.headers['x-request-id']),
    ...(await addressLimits(request, response)),
  })
  response.end(JSON.stringify({ error }))
}

/** Where the sender's address stands, without counting. Imported late: the configuration is read before these are. */
async function addressLimits(request: IncomingMessage, response: ServerResponse) {
  const { default: server } = await import('@adonisjs/core/services/server')
  const { enter } = await import('#shared/rate_limit')
  request.url = '/'
  const key = `address:${server.createRequest(request, response).ip()}`
  const { limit, remaining, resetAt } = await enter(
    { key, perMinute: platform.failedAuthPerMinute },
    0
  )
  return {
    'X-RateLimit-Limit': limit,
    'X-RateLimit-Remaining': remaining,
    'X-RateLimit-Reset': resetAt,
  }
}
