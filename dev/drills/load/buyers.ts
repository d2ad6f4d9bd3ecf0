import { randomInt } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { newKey } from '../../../bench/generator/fresh_ids.ts'
import type { Credentials } from '../../../bench/generator/jobs.ts'
import { CUSTOMER } from '../../../bench/generator/partner_calls.ts'
import { PREFIX, signedHeaders } from '../../../bench/generator/signed_request.ts'

export type Step = 'book' | 'order' | 'confirm'

/** A request and what came of it. A repeat has the same step and key. */
export interface Exchange {
  at: Date
  ms: number
  partner: string
  step: Step
  key: string
  port: number
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

const ANSWER_WITHIN_MS = 15_000
const REPEAT_AFTER_MS = 150
const GIVE_UP_AFTER_MS = 60_000

/** Partners' buyers over several web processes. Every request and answer is kept. */
export class Buyers {
  readonly exchanges: Exchange[] = []
  /** Requests that were not answered however often they were repeated. */
  readonly unanswered: string[] = []
  readonly #ports: number[]
  readonly #working: Promise<void>[] = []
  #isOver = false
  #isAbandoned = false

  constructor(ports: number[]) {
    this.#ports = ports
  }

  get sales() {
    return this.exchanges.filter(({ step, status }) => step === 'confirm' && status === 200).length
  }

  /** Buys pairs of seats, for which all such buyers compete, and repeats each confirm at another process. */
  startBuying(buyer: Buyer) {
    this.#start(async () => {
      const first = randomInt(buyer.seats.length - 1)
      const booking = await this.#book(buyer, buyer.seats.slice(first, first + 2))
      if (!booking) return
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
        await this.#send(buyer, 'confirm', order.order_id, path, { payment_info: payment })
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

  /** Repeats the request, each time at the next process, until it is answered. Undefined for a refusal. */
  async #send(buyer: Buyer, step: Step, key: string, path: string, content: object) {
    const body = JSON.stringify(content)
    const since = Date.now()
    while (!this.#isAbandoned && Date.now() - since < GIVE_UP_AFTER_MS) {
      const port = this.#ports[this.exchanges.length % this.#ports.length]
      const exchange = await this.#exchange(buyer, { step, key, port, body }, path)
      this.exchanges.push(exchange)
      const { status, retryAfter, data } = exchange
      if (status !== undefined && status !== 503) return data
      await delay(retryAfter ? Number(retryAfter) * 1_000 : REPEAT_AFTER_MS)
    }
    this.unanswered.push(`${step} ${key}`)
    return undefined
  }

  async #exchange(
    buyer: Buyer,
    request: Pick<Exchange, 'step' | 'key' | 'port' | 'body'>,
    path: string
  ): Promise<Exchange> {
    const { port, body } = request
    const at = new Date()
    const common = { ...request, at, partner: buyer.partner }
    const ms = () => Date.now() - at.getTime()
    try {
      const response = await fetch(`http://127.0.0.1:${port}${PREFIX}${path}`, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          ...signedHeaders(buyer, 'POST', path, body),
        },
        body,
        signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
      })
      const { data, error } = JSON.parse(await response.text())
      const retryAfter = response.headers.get('Retry-After') ?? undefined
      return { ...common, ms: ms(), status: response.status, code: error?.code, retryAfter, data }
    } catch (error) {
      const { message, cause } = error as Error
      return { ...common, ms: ms(), failure: cause instanceof Error ? cause.message : message }
    }
  }
}
