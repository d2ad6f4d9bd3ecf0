import { createHmac } from 'node:crypto'
import { sign, type SignedParts } from '#shared/signature'

const PREFIX = '/api/v1/partners'

const isClose = (timestamp: string) => Math.abs(Date.now() / 1000 - Number(timestamp)) <= 300

/**
 * The likely mistake behind a wrong signature, for the sandbox (completions, Order of checks). Signs the request again as
 * each common mistake would, and compares.
 *
 *     X-Timestamp 1795262410123        in milliseconds; send seconds
 *     signature over /bookings         the uri was signed without /api/v1/partners
 *     signature in upper case          must be lowercase hex
 */
export function signatureHint(secret: string, parts: SignedParts, signature: string): string {
  const { timestamp } = parts
  if (timestamp === '') return 'X-Timestamp is missing'
  if (/^\d{13}$/.test(timestamp)) return 'X-Timestamp is in milliseconds; send seconds, ten digits'
  if (!/^\d{10}$/.test(timestamp)) return 'X-Timestamp is not ten digits of Unix seconds'
  if (!isClose(timestamp)) return 'X-Timestamp is more than 5 minutes from our clock'
  if (signature === '') return 'X-Signature is missing'
  if (sign(secret, parts) === signature.toLowerCase()) return 'X-Signature must be lowercase hex'
  return findMistake(secret, parts, signature.toLowerCase())
}

function findMistake(secret: string, parts: SignedParts, signature: string): string {
  const match = MISTAKES.find(([, make]) => make(secret, parts).includes(signature))
  return match
    ? match[0]
    : 'No known mistake matches; compare your string with details.canonical_string, then check the secret'
}

type SignaturesOf = (secret: string, parts: SignedParts) => string[]
const hmac = (secret: string, text: string) =>
  createHmac('sha256', secret).update(text).digest('hex')
const joined = ({ timestamp, method, uri, body }: SignedParts, by: string) =>
  [timestamp, method, uri, body.toString()].join(by)

const MISTAKES: [hint: string, make: SignaturesOf][] = [
  [
    'The parts were joined with a backslash and an n instead of a line feed (0x0A)',
    (secret, parts) => [hmac(secret, joined(parts, '\\n'))],
  ],
  [
    'The canonical string ends with a line feed too many',
    (secret, parts) => [hmac(secret, `${joined(parts, '\n')}\n`)],
  ],
  [
    'The line feed before the empty body is missing',
    (secret, parts) => [hmac(secret, joined(parts, '\n').trimEnd())],
  ],
  [
    `The uri was signed without the prefix ${PREFIX}`,
    (secret, parts) => [sign(secret, { ...parts, uri: parts.uri.replace(PREFIX, '') })],
  ],
  [
    'The query was re-sorted or re-encoded: sign it exactly as it is sent',
    (secret, parts) => rewrittenQueries(parts.uri).map((uri) => sign(secret, { ...parts, uri })),
  ],
  [
    'The body was serialised again after signing: sign the very bytes that are sent',
    (secret, parts) => rewrittenBodies(parts).map((body) => sign(secret, { ...parts, body })),
  ],
  [
    'The method was signed in lower case',
    (secret, parts) => [sign(secret, { ...parts, method: parts.method.toLowerCase() })],
  ],
]

function rewrittenQueries(uri: string): string[] {
  const [path, query = ''] = uri.split('?')
  const sorted = query.split('&').sort().join('&')
  const encoded = new URLSearchParams(query).toString()
  return [path, `${path}?${sorted}`, `${path}?${encoded}`]
}

/** The bodies of the contract have three levels. Indentation makes a body longer by its size times its depth. */
const MAX_DEPTH = 8

const isDeeperThan = (value: unknown, depth: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (depth === 0 || Object.values(value).some((part) => isDeeperThan(part, depth - 1)))

/** As other programs would write the same JSON; none for a body that is no JSON or nested beyond `MAX_DEPTH`. */
function rewrittenBodies({ body }: SignedParts): string[] {
  try {
    const value = JSON.parse(body.toString()) as unknown
    if (isDeeperThan(value, MAX_DEPTH)) return []
    const compact = JSON.stringify(value)
    const spaced = JSON.stringify(value, null, 1)
      .replace(/\n\s*/g, ' ')
      .replace(/([{[]) | ([}\]])/g, '$1$2')
    const escaped = (text: string) =>
      text.replace(/[\u0080-\uffff]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)
    const shapes = [compact, spaced, JSON.stringify(value, null, 2), JSON.stringify(value, null, 4)]
    return [...shapes, ...shapes.map(escaped)]
  } catch {
    return []
  }
}
