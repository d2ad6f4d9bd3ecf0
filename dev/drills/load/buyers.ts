import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import http from 'node:http'
import https from 'node:https'
import { setTimeout as delay } from 'node:timers/promises'
import { newKey } from '../../../bench/generator/fresh_ids.ts'
import type { Credentials } from '../../../bench/generator/jobs.ts'
import { CUSTOMER } from '../../../bench/generator/partner_calls.ts'
import { PREFIX, signedHeaders } from '../../../bench/generator/signed_request.ts'
import { poll } from '../../poll.ts'
import { StartUpError } from '../../start_up_error.ts'

export type Step = 'book' | 'order' | 'confirm' | 'refund'

/** A request and what came of it. A repeat has the same step and key. */
export interface Exchange {
  at: Date
  ms: number
  partner: string
  step: Step
  key: string
  /** The address that it was sent to. */
  server: string
  body: string
  /** Absent when the connection broke or nothing came in time. */
  status?: number
  code?: string
  retryAfter?: string
  data?: any
  failure?: string
}

export interface Buyer extends Credentials {
  partner: string
  eventId: string
  seats: string[]
}

/** Longer than any answer may take: what comes later counts as a broken connection. */
const ANSWER_WITHIN_MS = 15_000
const REPEAT_AFTER_MS = 150
/** Longer than the longest fault, a minute without PostgreSQL. */
const GIVE_UP_AFTER_MS = 150_000

interface Sold {
  order_id: string
  tickets: { ticket_id: string }[]
}

interface BuyersOptions {
  /** Whose certificate is trusted, where the servers end TLS. */
  ca?: string
}

/** Partners' buyers over several web processes. Every request and answer is kept. */
export class Buyers {
  readonly exchanges: Exchange[] = []
  /** Requests that were not answered however often they were repeated. */
  readonly unanswered: string[] = []
  #servers: string[]
  readonly #client: Client
  readonly #working: Promise<void>[] = []
  #sales = 0
  #isOver = false
  #isAbandoned = false

  constructor(servers: string[], { ca }: BuyersOptions = {}) {
    this.#servers = servers
    this.#client = new Client(ca)
  }

  /** Answered confirms, repeats included. */
  get sales() {
    return this.#sales
  }

  /** Those that were sent since a moment. */
  since(moment: Date) {
    return this.exchanges.filter(({ at }) => at >= moment)
  }

  /** Resolves once so many more sales are answered; throws when that takes too long. */
  async untilSold(more: number, withinMs = 60_000) {
    const wanted = this.sales + more
    if (!(await poll(() => this.sales >= wanted, { withinMs }))) {
      throw new StartUpError(
        `Nothing was sold for ${withinMs / 1_000} s: ${this.sales} of ${wanted} sales`
      )
    }
  }

  /**
   * Buys pairs of seats, for which all such buyers compete, and repeats each confirm at another process. One that `givesBack` refunds
   * its oldest order whenever it finds seats taken, so that a hall is never sold out.
   */
  startBuying(buyer: Buyer, { givesBack = false } = {}) {
    const own: Sold[] = []
    this.#start(async () => {
      const first = randomInt(buyer.seats.length - 1)
      const booking = await this.#book(buyer, buyer.seats.slice(first, first + 2))
      if (!booking) {
        const oldest = givesBack && own.shift()
        if (oldest) await this.#refund(buyer, oldest)
        return
      }
      const key = newKey('o')
      const order = await this.#send(buyer, 'order', key, '/orders', {
        booking_id: booking.booking_id,
        partner_order_id: key,
        customer: CUSTOMER,
        consent: true,
      })
      if (!order) return
      const path = `/orders/${order.order_id}/confirm`
      const payment = {
        amount_tenge: order.total_tenge,
        paid_at: new Date().toISOString(),
        external_payment_id: newKey('p'),
        currency: 'KZT',
        method: 'card',
      }
      for (let repeat = 0; repeat < 2; repeat++) {
        const sold = await this.#send(buyer, 'confirm', order.order_id, path, {
          payment_info: payment,
        })
        if (repeat === 0 && sold) own.push(sold)
      }
    })
  }

  /** Holds seats and leaves them: each hold expires, and the partner must get a webhook of it. */
  startHolding(buyer: Buyer, pauseMs: number) {
    this.#start(async () => {
      await this.#book(buyer, [buyer.seats[randomInt(buyer.seats.length)]])
      await delay(pauseMs)
    })
  }

  /** As a balancer does with a process that is about to be stopped: nothing new is sent there. */
  leave(server: string) {
    this.#servers = this.#servers.filter((each) => each !== server)
  }

  comeBack(server: string) {
    this.#servers = [...this.#servers, server]
  }

  /** Lets everybody finish what they have begun. */
  async stop() {
    this.#isOver = true
    await Promise.all(this.#working)
  }

  /** Nothing is repeated any more. */
  abandon() {
    this.#isOver = true
    this.#isAbandoned = true
  }

  #start(turn: () => Promise<void>) {
    const work = async () => {
      while (!this.#isOver) await turn()
    }
    this.#working.push(work())
  }

  #book(buyer: Buyer, seats: string[]) {
    const key = newKey('b')
    const body = { event_id: buyer.eventId, partner_booking_id: key, seats }
    return this.#send(buyer, 'book', key, '/bookings', body)
  }

  #refund(buyer: Buyer, { order_id: orderId, tickets }: Sold) {
    const content = {
      ticket_ids: tickets.map(({ ticket_id: id }) => id),
      reason: 'The drill gives seats back',
    }
    return this.#send(buyer, 'refund', orderId, `/orders/${orderId}/refund`, content)
  }

  /** Repeats the request, each time at the next process, until it is answered. Undefined for a refusal. */
  async #send(buyer: Buyer, step: Step, key: string, path: string, content: object) {
    const body = JSON.stringify(content)
    const since = Date.now()
    while (!this.#isAbandoned && Date.now() - since < GIVE_UP_AFTER_MS) {
      const server = this.#servers[this.exchanges.length % this.#servers.length]
      const exchange = await this.#exchange(buyer, { step, key, server, body }, path)
      this.exchanges.push(exchange)
      const { status, retryAfter, data } = exchange
      if (step === 'confirm' && status === 200) this.#sales++
      if (status !== undefined && status !== 503) return data
      await delay(retryAfter ? Number(retryAfter) * 1_000 : REPEAT_AFTER_MS)
    }
    this.unanswered.push(`${step} ${key}`)
    return undefined
  }

  async #exchange(
    buyer: Buyer,
    request: Pick<Exchange, 'step' | 'key' | 'server' | 'body'>,
    path: string
  ): Promise<Exchange> {
    const { server, body } = request
    const at = new Date()
    const common = { ...request, at, partner: buyer.partner }
    const ms = () => Date.now() - at.getTime()
    try {
      const headers = signedHeaders(buyer, 'POST', path, body)
      const { status, retryAfter, text } = await this.#client.post(
        `${server}${PREFIX}${path}`,
        headers,
        body
      )
      return { ...common, ms: ms(), status, retryAfter, ...contentOf(text) }
    } catch (error) {
      const { message, code } = error as NodeJS.ErrnoException
      return { ...common, ms: ms(), failure: code ?? message }
    }
  }
}

/** A proxy's own answer is a page: its status counts all the same. */
function contentOf(text: string): Pick<Exchange, 'code' | 'data' | 'failure'> {
  try {
    const { data, error } = JSON.parse(text)
    return { code: error?.code, data }
  } catch {
    return { failure: `no JSON: ${text.slice(0, 60)}` }
  }
}

/** Keeps connections, as partners' programs do. */
class Client {
  readonly #plain = new http.Agent({ keepAlive: true })
  readonly #secure: https.Agent

  constructor(ca?: string) {
    this.#secure = new https.Agent({ keepAlive: true, ca })
  }

  async post(url: string, signed: Record<string, string>, body: string) {
    const headers = {
      ...signed,
      'Content-Type': 'application/json',
      'Content-Length': String(Buffer.byteLength(body)),
    }
    const options = { method: 'POST', headers, signal: AbortSignal.timeout(ANSWER_WITHIN_MS) }
    const request = url.startsWith('https:')
      ? https.request(url, { ...options, agent: this.#secure })
      : http.request(url, { ...options, agent: this.#plain })
    request.end(body)
    const [response] = (await once(request, 'response')) as [http.IncomingMessage]
    const chunks: Buffer[] = []
    for await (const chunk of response) chunks.push(chunk as Buffer)
    return {
      status: response.statusCode!,
      retryAfter: response.headers['retry-after'],
      text: Buffer.concat(chunks).toString(),
    }
  }
}
