import { assertAllowed, ForbiddenAddress, hostOf, lookupPublic } from '#webhooks/address'
import { readRetryAfter } from '#webhooks/deliver_webhooks/retry_schedule'
import http, { type ClientRequest, type IncomingMessage } from 'node:http'
import https from 'node:https'
import { isIP, type Socket } from 'node:net'

/** The result of one attempt. `failure` is null exactly when the partner answered 2xx. */
export interface Outcome {
  startedAt: Date
  durationMs: number
  status: number | null
  failure: string | null
  /** The first 4 KiB of the response body. */
  response: string | null
  retryAfter: number | null
}

const CONNECT_MS = 5_000
const ATTEMPT_MS = 15_000
const MAX_READ = 64 * 1024
const MAX_KEPT = 4 * 1024
/** Interim (1xx) responses such as `100 Continue`. */
const MAX_INTERIM = 10

const agents = {
  'http:': new http.Agent({ keepAlive: true, maxFreeSockets: 4 }),
  'https:': new https.Agent({ keepAlive: true, maxFreeSockets: 4 }),
}

/** One POST: follows no redirect, waits at most 15 seconds and reads at most 64 KiB. */
export async function post(
  url: URL,
  headers: Record<string, string>,
  body: string
): Promise<Outcome> {
  const startedAt = new Date()
  const began = performance.now()
  const ended = (outcome: Partial<Outcome>): Outcome => ({
    startedAt,
    durationMs: Math.round(performance.now() - began),
    status: null,
    failure: null,
    response: null,
    retryAfter: null,
    ...outcome,
  })
  try {
    const response = await exchange(url, headers, body)
    return ended({ ...response, failure: failureOf(response.status) })
  } catch (error) {
    return ended({ failure: failureName(error) })
  }
}

function failureOf(status: number): string | null {
  if (status >= 200 && status < 300) return null
  return status >= 300 && status < 400 ? 'redirect' : `status_${status}`
}

function failureName(error: unknown): string {
  if (error instanceof ForbiddenAddress) return 'forbidden_address'
  if (error instanceof GaveUp) return error.message
  const { code = '', syscall = '' } = error as NodeJS.ErrnoException
  if (/^(getaddrinfo|query)/.test(syscall)) return 'unknown_host'
  if (code === 'ECONNREFUSED') return 'refused'
  if (code === 'EHOSTUNREACH' || code === 'ENETUNREACH') return 'unreachable'
  if (code.startsWith('ERR_TLS') || /CERT|SSL|EPROTO|SELF_SIGNED|VERIFY/.test(code)) return 'tls'
  if (code === 'HPE_HEADER_OVERFLOW') return 'headers_too_large'
  if (code.startsWith('HPE_') && code !== 'HPE_INVALID_EOF_STATE') return 'not_http'
  return 'connection_lost'
}

/** An attempt that we ended; the message is the name of the failure. */
class GaveUp extends Error {}

interface Response {
  status: number
  response: string
  retryAfter: number | null
}

async function exchange(
  url: URL,
  headers: Record<string, string>,
  body: string
): Promise<Response> {
  const secure = url.protocol === 'https:'
  if (isIP(hostOf(url))) assertAllowed(hostOf(url))
  const request = (secure ? https : http).request(url, {
    method: 'POST',
    agent: agents[secure ? 'https:' : 'http:'],
    lookup: lookupPublic,
    headers: { ...headers, 'Content-Length': Buffer.byteLength(body) },
  })
  const { promise, resolve, reject } = Promise.withResolvers<Response>()
  const giveUp = (error: Error) => {
    reject(error)
    request.destroy(error)
  }
  const deadline = setTimeout(() => giveUp(new GaveUp('timeout')), ATTEMPT_MS)
  request.on('error', reject)
  request.on('socket', (socket) => watchConnecting(socket, secure, giveUp))
  request.on('response', (response) => readResponse(response).then(resolve, reject))
  rejectUnusualResponses(request, resolve, giveUp)
  request.end(body)
  try {
    return await promise
  } finally {
    clearTimeout(deadline)
  }
}

type GiveUp = (error: Error) => void

/** Ends on a protocol upgrade, which we never ask for, and on endless interim responses. */
function rejectUnusualResponses(
  request: ClientRequest,
  resolve: (response: Response) => void,
  giveUp: GiveUp
) {
  // Without a listener, the request would end with neither response nor error.
  request.on('upgrade', (_, socket) => {
    socket.destroy()
    resolve({ status: 101, response: '', retryAfter: null })
  })
  let interim = 0
  request.on('information', () => {
    if (++interim > MAX_INTERIM) giveUp(new GaveUp('too_many_1xx'))
  })
}

/** Checks the remote address, also of a reused connection, and gives up when connecting takes too long. */
function watchConnecting(socket: Socket, secure: boolean, giveUp: GiveUp) {
  const check = () => {
    try {
      assertAllowed(socket.remoteAddress)
    } catch (error) {
      giveUp(error as Error)
    }
  }
  if (!socket.connecting) {
    check()
    return
  }
  const timer = setTimeout(() => giveUp(new GaveUp('connect_timeout')), CONNECT_MS)
  socket.once('connect', check)
  socket.once(secure ? 'secureConnect' : 'connect', () => clearTimeout(timer))
  socket.once('close', () => clearTimeout(timer))
}

/** Reads at most 64 KiB; the rest of a longer response is dropped with its connection. */
async function readResponse(response: IncomingMessage): Promise<Response> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    size += chunk.length
    if (size > MAX_READ) break
  }
  const retryAfter = readRetryAfter(response.headers['retry-after'])
  return {
    status: response.statusCode!,
    response: toStorableText(Buffer.concat(chunks)),
    retryAfter,
  }
}

/** At most 4 KiB of text that PostgreSQL can store: whole characters, no NUL. */
function toStorableText(bytes: Buffer): string {
  let text = bytes.subarray(0, MAX_KEPT).toString('utf8').replaceAll('\0', '\uFFFD')
  while (Buffer.byteLength(text) > MAX_KEPT) text = text.slice(0, -1)
  return text.toWellFormed()
}
