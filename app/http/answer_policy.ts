import platform, { trustedProxies } from '#config/platform'
import env from '#start/env'
import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'

/** Kinds of answers, which differ in headers. A handler names one with `answerAs`; the default is `data`. */
export type AnswerKind =
  | 'data'
  | 'page'
  | 'problem_page'
  | 'staff_page'
  | 'gate_page'
  | 'asset'
  | 'plan'
  | 'pdf'
  | 'developer_page'

interface Policy {
  cache: string
  vary: string
  referrer: string
  /** Content-Security-Policy; null leaves the header out. */
  content: Record<string, string> | null
  /** Whether other sites may show it, in a frame or as a picture. */
  embedding: 'none' | 'any'
  /** Browser features that it may use (Permissions-Policy). */
  features: readonly string[]
}

const ONE_YEAR_SECONDS = 31_536_000
const HSTS = `max-age=${ONE_YEAR_SECONDS}; includeSubDomains`
const FOR_EVER = `public, max-age=${ONE_YEAR_SECONDS}, immutable`
// Vite's development server injects styles and talks over a WebSocket. The application doesn't know its own mode yet.
const isDevelopment = env.get('NODE_ENV') === 'development'
const inlineInDevelopment = isDevelopment ? ` 'unsafe-inline'` : ''
const socketInDevelopment = isDevelopment ? ' ws:' : ''

const OWN_FILES = {
  'script-src': `'self'`,
  'style-src': `'self'${inlineInDevelopment}`,
  'img-src': `'self' data:`,
  'font-src': `'self'`,
  'connect-src': `'self'${socketInDevelopment}`,
}

const data: Policy = {
  cache: 'no-store',
  vary: 'Accept-Encoding',
  referrer: 'no-referrer',
  content: {},
  embedding: 'none',
  features: [],
}

const page: Policy = {
  cache: 'no-cache',
  vary: 'Accept-Encoding, Accept-Language, Cookie',
  referrer: 'strict-origin-when-cross-origin',
  content: OWN_FILES,
  embedding: 'none',
  features: [],
}

const staffPage: Policy = {
  cache: 'no-store',
  vary: 'Accept-Encoding, Accept-Language, Cookie, X-Inertia',
  // After a form, the redirect goes back to the referring page.
  referrer: 'same-origin',
  content: { ...OWN_FILES, 'style-src': `'self'`, 'form-action': `'self'` },
  embedding: 'none',
  features: [],
}

const POLICIES: Record<AnswerKind, Policy> = {
  data,
  page,
  problem_page: { ...page, cache: 'no-store' },
  staff_page: staffPage,
  gate_page: { ...staffPage, features: ['camera', 'screen-wake-lock'] },
  asset: { ...data, cache: FOR_EVER },
  // Partners show plans and PDFs in their own pages.
  plan: { ...data, cache: FOR_EVER, content: { sandbox: '' }, embedding: 'any' },
  // The browser's viewer is an object with style attributes.
  pdf: {
    ...data,
    cache: 'private, no-cache',
    content: { 'style-src-attr': `'unsafe-inline'`, 'object-src': `'self'` },
    embedding: 'any',
  },
  // The framework's error page, with inline scripts; in development only.
  developer_page: { ...data, content: null },
}

/** Only features that browsers know: they log a warning for others. */
// prettier-ignore
const FEATURES = [
  'accelerometer', 'camera', 'display-capture', 'encrypted-media', 'fullscreen', 'geolocation', 'gyroscope',
  'magnetometer', 'microphone', 'midi', 'payment', 'picture-in-picture', 'publickey-credentials-get',
  'screen-wake-lock', 'usb',
]

type Headers = Record<string, string | null>

/** Rendered once per kind. */
const HEADERS = Object.fromEntries(
  Object.entries(POLICIES).map(([kind, policy]) => [kind, headersOf(policy)])
) as Record<AnswerKind, Headers>

/** Sets the headers of every answer, as `data` until another kind is named. */
export function startAnswer({ headers, socket }: IncomingMessage, response: ServerResponse) {
  response.setHeader('X-Content-Type-Options', 'nosniff')
  if (isSecure(socket, headers['x-forwarded-proto'])) {
    response.setHeader('Strict-Transport-Security', HSTS)
  }
  answerAs('data', response)
}

/** The same headers for an answer to an unreadable request, which is written to the socket. */
export function headersOfBrokenRequest(socket: Socket) {
  const headers: Headers = { 'X-Content-Type-Options': 'nosniff', ...HEADERS.data }
  return isSecure(socket) ? { ...headers, 'Strict-Transport-Security': HSTS } : headers
}

/** Sets the headers of a kind of answer; the last call wins. */
export function answerAs(kind: AnswerKind, response: ServerResponse) {
  for (const [name, value] of Object.entries(HEADERS[kind])) {
    if (value === null) response.removeHeader(name)
    else response.setHeader(name, value)
  }
}

/** Like `answerAs`, but allows inline scripts and styles with the returned nonce. */
export function answerWithNonce(kind: 'staff_page' | 'gate_page', response: ServerResponse) {
  const nonce = randomBytes(16).toString('base64')
  answerAs(kind, response)
  const policy = String(HEADERS[kind]['Content-Security-Policy'])
  response.setHeader(
    'Content-Security-Policy',
    policy.replaceAll(/(script|style)-src 'self'/g, `$& 'nonce-${nonce}'`)
  )
  return nonce
}

function headersOf({ cache, vary, referrer, content, embedding, features }: Policy): Headers {
  const isEmbeddable = embedding === 'any'
  return {
    'Cache-Control': cache,
    'Vary': vary,
    'Referrer-Policy': referrer,
    'Permissions-Policy': FEATURES.map(
      (name) => `${name}=${features.includes(name) ? '(self)' : '()'}`
    ).join(', '),
    'X-Frame-Options': isEmbeddable ? null : 'DENY',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': isEmbeddable ? 'cross-origin' : 'same-origin',
    'Content-Security-Policy': content && contentPolicy(content, isEmbeddable),
  }
}

function contentPolicy(content: Record<string, string>, isEmbeddable: boolean) {
  const directives = {
    'default-src': `'none'`,
    // Neither falls back to default-src.
    'base-uri': `'none'`,
    'form-action': `'none'`,
    ...content,
    'frame-ancestors': isEmbeddable ? '*' : `'none'`,
  }
  return Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources}`.trim())
    .join('; ')
}

/** Whether the request came over HTTPS, to us or to our proxy. Live deployments and https addresses always count. */
function isSecure(socket: Socket, forwardedProtocol?: string | string[]) {
  if (platform.deployment === 'live' || platform.isHttps) return true
  if ((socket as TLSSocket).encrypted) return true
  return forwardedProtocol === 'https' && trustedProxies.check(socket.remoteAddress ?? '')
}
