import platform from '#config/platform'
import { headersOfBrokenRequest, startAnswer } from '#http/answer_policy'
import { addressGroup } from '#shared/addresses'
import { requestIdFor } from '#shared/request_id'
import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** An error in a request that never reaches the framework. */
export interface Problem {
  status: number
  code: string
  message: string
}

/** The error envelope of the contract with its headers; `sent` is the `X-Request-Id`, if it was read. */
async function compose({ status, code, message }: Problem, address: string, sent?: unknown) {
  const body = JSON.stringify({ error: { code, message, details: {} } })
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    'X-Request-Id': requestIdFor(sent as string | undefined),
    ...(await addressLimits(address)),
  }
  return { status, headers, body }
}

/** The headers of the address's budget, without counting. Imported late: the server is created before Redis is configured. */
async function addressLimits(address: string) {
  const { enter } = await import('#shared/rate_limit')
  const budget = {
    key: `address:${addressGroup(address)}`,
    perMinute: platform.failedAuthPerMinute,
  }
  const { limit, remaining, resetAt } = await enter(budget, 0)
  return {
    'X-RateLimit-Limit': String(limit),
    'X-RateLimit-Remaining': String(remaining),
    'X-RateLimit-Reset': String(resetAt),
  }
}

/** Answers a request without the framework. */
export async function answerProblem(
  request: IncomingMessage,
  response: ServerResponse,
  problem: Problem,
  address = request.socket.remoteAddress ?? ''
) {
  const { status, headers, body } = await compose(problem, address, request.headers['x-request-id'])
  startAnswer(request, response)
  response.writeHead(status, headers)
  response.end(request.method === 'HEAD' ? undefined : body)
}

/** Answers an unreadable request, then closes the connection: where the next request starts is unknown. */
export async function answerUnparsed(
  socket: Socket,
  problem: Problem,
  isOwed: () => boolean,
  requestId?: unknown
) {
  const { status, headers, body } = await compose(problem, socket.remoteAddress ?? '', requestId)
  if (!socket.writable) return socket.destroy()
  // The handler may have started to answer meanwhile.
  if (!isOwed()) return socket.end()
  const all = { ...headersOfBrokenRequest(socket), ...headers, Connection: 'close' }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`)
}
