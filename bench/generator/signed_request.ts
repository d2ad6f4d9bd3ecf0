import { createHmac } from 'node:crypto'
import type { Credentials } from './jobs.ts'

export const PREFIX = '/api/v1/partners'

/** The bytes of a request, signed as the contract defines. Shares no code with the server, on purpose. */
export function signedRequest(
  { apiKey, secret }: Credentials,
  method: 'GET' | 'POST',
  path: string,
  body = ''
) {
  const uri = PREFIX + path
  const timestamp = String(Math.floor(Date.now() / 1000))
  const signature = createHmac('sha256', secret)
    .update(`${timestamp}\n${method}\n${uri}\n${body}`)
    .digest('hex')
  const content =
    method === 'POST'
      ? `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`
      : ''
  return `${method} ${uri} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Api-Key: ${apiKey}\r\nX-Timestamp: ${timestamp}\r\nX-Signature: ${signature}\r\n${content}\r\n${body}`
}

export const plainRequest = (path: string) => `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`
