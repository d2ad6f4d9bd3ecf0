import { startAnswer } from '#http/answer_policy'
import { DrainingServer } from '#http/draining_server'
import { answerProblem, answerUnparsed, problemOf, type Problem } from '#http/problem_answer'
import env from '#start/env'
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** How often Node checks for requests that arrive too slowly; with its default, each lives up to 30 s longer. */
const LOOK_FOR_SLOW_REQUESTS_MS = 2_000
const MAX_CONNECTIONS = 10_000
/** Keeps reading this long after the last answer: closing with unread bytes resets the connection and may lose the answer. */
const LINGER_MS = 2_000

/** Errors of Node's parser that are answered in words of their own. */
const PARSER_PROBLEMS: Record<string, Problem> = {
  HPE_HEADER_OVERFLOW: problemOf('HEADERS_TOO_LARGE'),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: problemOf(
    'BAD_REQUEST',
    'The chunk extensions of the body are larger than 16 KiB'
  ),
  ERR_HTTP_REQUEST_TIMEOUT: problemOf('REQUEST_TIMEOUT'),
}

/**
 * The HTTP server in front of the framework. It answers malformed requests (RFC 9112) with the contract's envelope, and
 * closes connections that send too slowly.
 */
export function createNodeServer(handler: RequestListener): Server {
  const options = {
    connectionsCheckingInterval: LOOK_FOR_SLOW_REQUESTS_MS,
    // Node would answer without a body, so `problemOfHost` checks the header.
    requireHostHeader: false,
  }
  const server = new DrainingServer(options, (request, response) => {
    server.track(request, response)
    // First, so that every answer has these headers.
    startAnswer(request, response)
    const problem = problemOfHost(request) ?? problemOfTarget(request)
    if (problem) {
      response.shouldKeepAlive = false
      return answerProblem(request, response, problem).catch(() => request.socket.destroy())
    }
    request.url = originForm(request)
    return handler(request, response)
  })
  server.maxConnections = env.get('MAX_CONNECTIONS') ?? MAX_CONNECTIONS
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    answerBroken(error, socket, server.unansweredOn(socket)).catch(() => socket.destroy())
  })
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    server.track(request, response)
    answerProblem(request, response, problemOf('EXPECTATION_FAILED')).catch(() =>
      request.socket.destroy()
    )
  })
  return server
}

const brokenSockets = new WeakSet<Socket>()

/** Complete requests before the malformed one are answered first (RFC 9112, 9.3.2). */
async function answerBroken(
  error: NodeJS.ErrnoException,
  socket: Socket,
  unanswered: ServerResponse[]
) {
  if (!socket.writable) return socket.destroy()
  // The parser reports each further packet of a broken connection.
  if (brokenSockets.has(socket)) return
  brokenSockets.add(socket)

  const broken = unanswered.find(({ req }) => !req.complete)
  await Promise.all(unanswered.filter((response) => response !== broken).map(untilAnswered))
  const isOwed = () => !broken?.headersSent
  await answerUnparsed(
    socket,
    PARSER_PROBLEMS[error.code ?? ''] ?? problemOf('BAD_REQUEST'),
    isOwed,
    requestIdOf(broken)
  )
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
}

const requestIdOf = (response?: ServerResponse) => response?.req.headers['x-request-id']

const untilAnswered = (response: ServerResponse) =>
  response.destroyed
    ? undefined
    : new Promise<void>((resolve) => response.once('close', () => resolve()))

/** RFC 9112, 3.2: exactly one Host, except in HTTP/1.0. */
function problemOfHost({ rawHeaders, httpVersion }: IncomingMessage): Problem | null {
  let hosts = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (rawHeaders[i].length === 4 && rawHeaders[i].toLowerCase() === 'host') hosts += 1
  }
  if (hosts > 1) return problemOf('BAD_REQUEST', 'The request has more than one Host header')
  if (hosts === 0 && httpVersion === '1.1')
    return problemOf('BAD_REQUEST', 'The request has no Host header')
  return null
}

const ABSOLUTE = /^https?:\/\/([^/?#]*)([^#]*)/i

function problemOfTarget({ url = '' }: IncomingMessage): Problem | null {
  if (!ABSOLUTE.test(url) || URL.canParse(url)) return null
  return problemOf('BAD_REQUEST', 'The target of the request is not a correct URL')
}

/** `GET http://host/path` means `GET /path` (RFC 9112, 3.2.2); the host of the target is the one that counts. */
function originForm({ url = '/', headers }: IncomingMessage): string {
  const absolute = ABSOLUTE.exec(url)
  if (!absolute) return url
  const [, host, path] = absolute
  headers.host = host
  return path.startsWith('/') ? path : `/${path}`
}
