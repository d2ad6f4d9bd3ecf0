import { book, paymentOf } from '#tests/support/fixtures'
import type { Answer, PartnerClient } from '#tests/support/partner_client'
import { BIG_HALL_SEATS } from './big_hall.js'
import { between, outcomeOf, sleep, together } from './crowd.js'
import { orderBody } from './sales.js'

type Step = 'book' | 'order' | 'confirm' | 'cancel'

const SHARE_THAT_PAYS = 0.3
const PROGRESS_WITHIN_MS = 30_000

const sumOf = (times: readonly number[]) => times.reduce((sum, one) => sum + one, 0)

/** Buyers in the big hall who go on buying until they are stopped. */
export class Rush {
  /** How often each step had each outcome: `{ 'book 201': 40, 'confirm 200': 12 }`. */
  readonly outcomes: Record<string, number> = {}
  #isOver = false

  constructor(
    private eventId: string,
    private clients: PartnerClient[]
  ) {}

  /** Paid orders. */
  get sales() {
    return this.#count('confirm 200')
  }

  get answered() {
    return sumOf(Object.values(this.outcomes))
  }

  /** Refused because of the partner's limits. */
  get limited() {
    return this.#count('429 RATE_LIMIT_EXCEEDED')
  }

  /** Runs the task while so many people buy. */
  async during(buyers: number, task: () => Promise<void>) {
    const buying = together(buyers, (index) => this.#buy(this.clients[index % this.clients.length]))
    try {
      await task()
    } finally {
      this.#isOver = true
      await buying
    }
  }

  /** Until so many orders more are paid than now. */
  untilSold(orders: number) {
    const sales = this.sales + orders
    return this.until(() => this.sales >= sales)
  }

  async until(isReached: () => boolean) {
    const deadline = Date.now() + PROGRESS_WITHIN_MS
    while (!isReached()) {
      if (Date.now() > deadline) throw new Error(`No progress: ${JSON.stringify(this.outcomes)}`)
      await sleep(5)
    }
  }

  async #buy(client: PartnerClient) {
    while (!this.#isOver) {
      const seat = BIG_HALL_SEATS[between(0, BIG_HALL_SEATS.length - 1)]
      const booking = await this.#step('book', book(client, this.eventId, [seat]))
      if (booking.status !== 201) continue
      const { booking_id: bookingId } = booking.data
      const placed = await this.#step('order', client.post('/orders', orderBody(bookingId)))
      if (placed.status !== 201) continue
      await this.#end(client, placed.data)
    }
  }

  /** Answers whose step and outcome end so. */
  #count(ending: string) {
    const found = Object.entries(this.outcomes).filter(([outcome]) => outcome.endsWith(ending))
    return sumOf(found.map(([, times]) => times))
  }

  #end(client: PartnerClient, placed: { order_id: string; total_tenge: number }) {
    const path = `/orders/${placed.order_id}`
    if (Math.random() > SHARE_THAT_PAYS) return this.#step('cancel', client.post(`${path}/cancel`))
    return this.#step('confirm', client.post(`${path}/confirm`, paymentOf(placed.total_tenge)))
  }

  async #step(step: Step, sent: Promise<Answer>) {
    const answer = await sent
    const outcome = `${step} ${outcomeOf(answer)}`
    this.outcomes[outcome] = (this.outcomes[outcome] ?? 0) + 1
    return answer
  }
}
