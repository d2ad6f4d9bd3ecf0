import { assertDescribed } from '#tests/support/described'
import {
  readAnswer,
  testBaseUrl,
  type Answer,
  type PartnerClient,
} from '#tests/support/partner_client'
import { createHmac } from 'node:crypto'
import { request } from 'node:http'

export const PREFIX = '/api/v1/partners'

export interface RawRequest {
  method?: string
  /** After the prefix, put on the wire as it stands. */
  path: string
  body?: string | Buffer
  /** What is signed instead of what is sent. */
  signed?: { timestamp?: string; method?: string; uri?: string; body?: string | Buffer }
  /** Of the moment of sending when it's a function. */
  timestamp?: string | (() => string)
  secret?: string
  separator?: string
  tail?: string
  signature?: (hex: string) => string
  /** A path that no operation could have: its answer is held against no description. */
  isUndescribed?: boolean
  /** A list sends the header more than once; undefined leaves it out. */
  headers?: Record<string, string | string[] | undefined>
}

export const nowSeconds = (skew = 0) => String(Math.floor(Date.now() / 1000) + skew)

function signatureOf(client: PartnerClient, raw: RawRequest, timestamp: string) {
  const { method = 'GET', path, body = '', signed = {}, separator = '\n', tail = '' } = raw
  const parts = [
    signed.timestamp ?? timestamp,
    signed.method ?? method,
    signed.uri ?? PREFIX + path,
    signed.body ?? (method === 'GET' ? '' : body),
  ]
  const bytes = parts.flatMap((part) => [Buffer.from(part), Buffer.from(separator)]).slice(0, -1)
  const hmac = createHmac('sha256', raw.secret ?? client.credentials.secret)
  const hex = hmac.update(Buffer.concat([...bytes, Buffer.from(tail)])).digest('hex')
  return raw.signature ? raw.signature(hex) : hex
}

/** Puts a request on the wire byte for byte: no client library tidies it up on the way. */
export async function sendRaw(client: PartnerClient, raw: RawRequest): Promise<Answer> {
  const { method = 'GET', path, body = '', timestamp: given = () => nowSeconds() } = raw
  const timestamp = typeof given === 'function' ? given() : given
  const base = new URL(testBaseUrl())
  const headers: Record<string, string | string[] | undefined> = {
    'Host': base.host,
    'X-Api-Key': client.credentials.apiKey,
    'X-Timestamp': timestamp,
    'X-Signature': signatureOf(client, raw, timestamp),
    'X-Forwarded-For': client.address,
    ...(body.length > 0 && { 'Content-Type': 'application/json' }),
    ...((body.length > 0 || method === 'POST') && {
      'Content-Length': String(Buffer.byteLength(body)),
    }),
    ...raw.headers,
  }
  const lines = Object.entries(headers).flatMap(([name, values]) =>
    [values ?? []].flat().flatMap((value) => [name, value])
  )
  const answer = await exchange(
    { host: base.hostname, port: base.port, path: PREFIX + path, method },
    lines,
    body
  )
  if (!raw.isUndescribed) assertDescribed(method, path, answer)
  return answer
}

type Target = { host: string; port: string; path: string; method: string }

function exchange(target: Target, headers: string[], body: string | Buffer): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ ...target, headers: headers as never, agent: false }, (incoming) => {
      const chunks: Buffer[] = []
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
      incoming.on('end', () => {
        const received = new Headers()
        for (let i = 0; i < incoming.rawHeaders.length; i += 2)
          received.append(incoming.rawHeaders[i], incoming.rawHeaders[i + 1])
        const status = incoming.statusCode!
        const content = [204, 304].includes(status) ? null : Buffer.concat(chunks)
        resolve(readAnswer(new Response(content, { status, headers: received })))
      })
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}
