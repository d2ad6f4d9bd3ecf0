import { assertDescribed } from '#tests/support/described'
import { createHmac, randomUUID } from 'node:crypto'

export interface Answer {
  status: number
  headers: Headers
  text: string
  /** The parsed envelope. */
  json: any
  data: any
  error: { code: string; message: string; details: any }
}

export interface Credentials {
  apiKey: string
  secret: string
}

export interface Overrides {
  headers?: Record<string, string | undefined>
  timestamp?: string
  signature?: string
  method?: string
  /** Sent instead of the signed body. */
  sentBody?: string | Buffer
  baseUrl?: string
}

const PREFIX = '/api/v1/partners'
export const testBaseUrl = () => `http://${process.env.HOST}:${process.env.PORT}`

/**
 * A partner's program for tests: it signs by the contract with code of its own, shares none with the
 * server, and holds every answer against the OpenAPI description.
 */
export class PartnerClient {
  /** Each client comes from an address of its own, so that their failures don't add up. */
  readonly address = `10.${byte()}.${byte()}.${byte()}`

  constructor(
    readonly credentials: Credentials,
    readonly baseUrl = testBaseUrl()
  ) {}

  get(path: string, overrides: Overrides = {}) {
    return this.send('GET', path, '', overrides)
  }

  post(path: string, body: unknown = '', overrides: Overrides = {}) {
    const raw = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body)
    return this.send('POST', path, raw, overrides)
  }

  async send(
    method: string,
    path: string,
    body: string | Buffer,
    overrides: Overrides = {}
  ): Promise<Answer> {
    const uri = PREFIX + path
    const headers = this.#sign(overrides.method ?? method, uri, body, overrides)
    const sent = overrides.sentBody ?? body
    const response = await fetch((overrides.baseUrl ?? this.baseUrl) + uri, {
      method: overrides.method ?? method,
      headers,
      body: method === 'GET' || sent.length === 0 ? undefined : (sent as string),
      redirect: 'manual',
    })
    const answer = await readAnswer(response)
    assertDescribed(overrides.method ?? method, path, answer)
    return answer
  }

  #sign(method: string, uri: string, body: string | Buffer, overrides: Overrides) {
    const timestamp = overrides.timestamp ?? String(Math.floor(Date.now() / 1000))
    const hmac = createHmac('sha256', this.credentials.secret).update(
      `${timestamp}\n${method}\n${uri}\n`
    )
    const signature = overrides.signature ?? hmac.update(method === 'GET' ? '' : body).digest('hex')
    const headers: Record<string, string | undefined> = {
      'X-Api-Key': this.credentials.apiKey,
      'X-Timestamp': timestamp,
      'X-Signature': signature,
      'X-Forwarded-For': this.address,
      'X-Request-Id': randomUUID(),
      ...(body.length > 0 && { 'Content-Type': 'application/json' }),
      ...overrides.headers,
    }
    return Object.fromEntries(
      Object.entries(headers).filter(([, value]) => value !== undefined)
    ) as Record<string, string>
  }
}

export async function readAnswer(response: Response): Promise<Answer> {
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json')
  const json = isJson && text ? JSON.parse(text) : undefined
  const { status, headers } = response
  return { status, headers, text, json, data: json?.data, error: json?.error }
}

const byte = () => Math.floor(Math.random() * 256)
