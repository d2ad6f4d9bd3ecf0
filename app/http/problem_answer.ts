import platform from '#config/platform'
import { headersOfBrokenRequest, startAnswer } from '#http/answer_policy'
import { addressGroup } from '#shared/addresses'
import { requestIdFor } from '#shared/request_id'
import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Answers to requests that reach no operation: docs/api/openapi.yaml describes each under that heading. */
// prettier-ignore
export const PROBLEMS = {
  BAD_REQUEST:        { status: 400, message: 'This is not a correct HTTP/1.1 request' },
  REQUEST_TIMEOUT:    { status: 408, message: 'The request did not arrive whole in time; repeat it' },
  EXPECTATION_FAILED: { status: 417, message: 'Only "Expect: 100-continue" is understood' },
  HEADERS_TOO_LARGE:  { status: 431, message: 'The header of the request is larger than 16 KiB' },
} as const

/** An error in a request that never reaches the framework. */
export interface Problem {
  status: number
  code: keyof typeof PROBLEMS | 'NOT_FOUND'
  message: string
}

export const problemOf = (
  code: keyof typeof PROBLEMS,
  message: string = PROBLEMS[code].message
): Problem => ({ status: PROBLEMS[code].status, code, message })

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
  problem: Problem
) {
  const address = await senderOf(request, response)
  const { status, headers, body } = await compose(problem, address, request.headers['x-request-id'])
  startAnswer(request, response)
  response.writeHead(status, headers)
  response.end(request.method === 'HEAD' ? undefined : body)
}

/** The sender's address, which a trusted proxy names in `X-Forwarded-For`. Imported late, as above. */
async function senderOf(request: IncomingMessage, response: ServerResponse) {
  const { default: server } = await import('@adonisjs/core/services/server')
  // The target may be one that the framework cannot parse.
  request.url = '/'
  return server.createRequest(request, response).ip()
}

/** Answers an unreadable request, then closes the connection: where the next request starts is unknown. */
export async function answerUnparsed(
  socket: Socket,
  problem: Problem,
  isOwed: () => boolean,
  requestId?: unknown
) {
  // Behind a proxy this is the proxy's address: the parser gives no header of a request that it cannot read.
  const address = socket.remoteAddress ?? ''
  const { status, headers, body } = await compose(problem, address, requestId)
  if (!socket.writable) return socket.destroy()
  // The handler may have started to answer meanwhile.
  if (!isOwed()) return socket.end()
  const all = { ...headersOfBrokenRequest(socket), ...headers, Connection: 'close' }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`)
}
