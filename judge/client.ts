import { Agent, request } from 'node:http'
import type { Partner, Product } from './types.ts'

export const PREFIX = '/api/v1/partners'

export interface Answer {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
  /** Undefined when the body is not JSON. */
  json: any
}

export interface Sent {
  method: string
  /** The whole path with its query, sent without any encoding. */
  uri: string
  body?: string | Buffer
  headers?: Record<string, string>
}

/** A client with its own IP address, as if behind a proxy. */
export class Client {
  readonly #product: Product
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 16 })
  address: string

  constructor(product: Product, address = randomAddress()) {
    this.#product = product
    this.address = address
  }

  send({ method, uri, body, headers = {} }: Sent): Promise<Answer> {
    const sent: Record<string, string> = { 'X-Forwarded-For': this.address, ...headers }
    if (method === 'POST') sent['Content-Length'] = String(Buffer.byteLength(body ?? ''))
    const { host, port } = this.#product
    const { promise, resolve, reject } = Promise.withResolvers<Answer>()
    const options = { host, port, method, path: uri, agent: this.#agent, headers: sent }
    const outgoing = request({ ...options, timeout: 20_000 }, (incoming) => {
      const chunks: Buffer[] = []
      incoming.on('error', reject)
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
      incoming.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        const { statusCode = 0, headers: received } = incoming
        resolve({ status: statusCode, headers: received, text, json: tryParse(text) })
      })
    })
    outgoing.on('timeout', () => outgoing.destroy(new Error('No answer within 20 s')))
    outgoing.on('error', reject)
    outgoing.end(body)
    return promise
  }

  get(partner: Partner, path: string, headers?: Record<string, string>) {
    const uri = PREFIX + path
    const signed = this.#product.sign(partner, { method: 'GET', uri })
    return this.send({ method: 'GET', uri, headers: { ...signed, ...headers } })
  }

  post(partner: Partner, path: string, value: unknown, headers?: Record<string, string>) {
    const uri = PREFIX + path
    const body = typeof value === 'string' || Buffer.isBuffer(value) ? value : JSON.stringify(value)
    const signed = this.#product.sign(partner, { method: 'POST', uri, body })
    const type = { 'Content-Type': 'application/json' }
    return this.send({ method: 'POST', uri, body, headers: { ...type, ...signed, ...headers } })
  }

  close() {
    this.#agent.destroy()
  }
}

export const randomAddress = () => `10.${byte()}.${byte()}.${byte()}`
const byte = () => Math.floor(Math.random() * 256)

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** The missing part of the contract's error envelope; undefined when it is complete. */
export function envelopeFault({ headers, json }: Pick<Answer, 'headers' | 'json'>) {
  const { error } = (json ?? {}) as { error?: Record<string, unknown> }
  if (typeof error?.code !== 'string') return 'no error.code'
  if (typeof error.message !== 'string' || error.message === '') return 'no error.message'
  if (typeof error.details !== 'object' || error.details === null) return 'no error.details'
  if (!String(headers['content-type']).startsWith('application/json')) return 'not JSON by its type'
  if (!UUID.test(String(headers['x-request-id']))) return 'no X-Request-Id'
  return undefined
}

/** Processes the items, a limited number at once. */
export async function inParallel<Item>(
  items: Iterable<Item>,
  atOnce: number,
  work: (item: Item) => Promise<void>
) {
  const queue = items[Symbol.iterator]()
  const worker = async () => {
    for (let next = queue.next(); !next.done; next = queue.next()) await work(next.value)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}
