import { createHmac } from 'node:crypto'
import type { Credentials } from './jobs.ts'

export const PREFIX = '/api/v1/partners'

/** The headers that sign a request as the contract defines. Shares no code with the server, on purpose. */
export function signedHeaders(
  { apiKey, secret }: Credentials,
  method: 'GET' | 'POST',
  path: string,
  body = '',
  signedAt = Math.floor(Date.now() / 1000)
) {
  const timestamp = String(signedAt)
  const signature = createHmac('sha256', secret)
    .update(`${timestamp}\n${method}\n${PREFIX}${path}\n${body}`)
    .digest('hex')
  return { 'X-Api-Key': apiKey, 'X-Timestamp': timestamp, 'X-Signature': signature }
}

/** The bytes of a signed request. */
export function signedRequest(
  partner: Credentials,
  method: 'GET' | 'POST',
  path: string,
  body = ''
) {
  const signed = Object.entries(signedHeaders(partner, method, path, body))
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')
  const content =
    method === 'POST'
      ? `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`
      : ''
  return `${method} ${PREFIX}${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${signed}${content}\r\n${body}`
}

export const plainRequest = (path: string) => `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`
