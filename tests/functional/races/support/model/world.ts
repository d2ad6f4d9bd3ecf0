import ChangeEventStatus from '#catalog/actions/change_event_status'
import { setPrices } from '#catalog/event_prices'
import { BlockSeats, UnblockSeats } from '#inventory/actions/block_seats'
import {
  HoldForStorefront,
  ReleaseFromStorefront,
  SellToStorefront,
} from '#inventory/actions/storefront'
import ChangePartnerStatus from '#partners/actions/change_partner_status'
import CancelEvent from '#sales/cancel_event/cancel_event'
import expireOverdue from '#sales/expire_overdue/expire_overdue'
import { Refusal } from '#shared/refusals'
import { PRICES, TESTER, aPartner, anEvent, grant, paymentOf } from '#tests/support/fixtures'
import type { TestPartner } from '#tests/support/fixtures'
import type { Answer } from '#tests/support/partner_client'
import db from '@adonisjs/lucid/services/db'
import { randomUUID } from 'node:crypto'
import { outcomeOf } from '../crowd.js'
import { aGate, type Gate } from '../gates.js'
import { rows } from '../sql.js'
import { FeedReader } from './feed_reader.js'
import { SEATS, type Side } from './oracle.js'

/** What an act was answered, in the oracle's words. */
export interface Observed {
  outcome: string
  details?: object
  status?: string
  answer?: Answer
}

interface Order {
  id: string
  side: Side
  booking: number
  key: number
  total: number
  tickets: string[]
}

const names = (seats: number[]) => seats.map((seat) => SEATS[seat])
const PAST = `clock_timestamp() - interval '1 minute'`
let sharedGate: Promise<Gate> | undefined

/** The running product: the same acts as the oracle's, over real connections. */
export class World {
  bookings: { id: string; side: Side; key: number; seats: number[] }[] = []
  orders: Order[] = []
  carts: string[] = []
  tokens: string[] = []
  readers: [FeedReader, FeedReader]
  /** Keys of this run: partners live on, keys don't. */
  #run = randomUUID()

  private constructor(
    readonly event: { id: string },
    readonly partners: [TestPartner, TestPartner],
    readonly gate: Gate
  ) {
    this.readers = [new FeedReader(partners[0]), new FeedReader(partners[1])]
  }

  /** Two partners that may sell one event; the first of them another one, too. */
  static async make() {
    sharedGate ??= aGate()
    const [event, other, one, two] = await Promise.all([
      anEvent(),
      anEvent({ status: 'sales_scheduled' }),
      aPartner(),
      aPartner(),
    ])
    await grant(one, event)
    await grant(two, event)
    await grant(one, other)
    return new World(event, [one, two], await sharedGate)
  }

  async book(side: Side, key: number, seats: number[]) {
    const body = {
      event_id: this.event.id,
      partner_booking_id: this.#key('b', key),
      seats: names(seats),
    }
    const answer = await this.#client(side).post('/bookings', body)
    if (answer.status === 201) this.bookings.push({ id: answer.data.booking_id, side, key, seats })
    return observedOf(answer)
  }

  async order(side: Side, booking: number, key: number) {
    const answer = await this.#client(side).post('/orders', {
      booking_id: this.bookings[booking].id,
      partner_order_id: this.#key('o', key),
      customer: { email: 'buyer@example.kz' },
      consent: true,
    })
    if (answer.status === 201) {
      const { order_id: id, total_tenge: total } = answer.data
      this.orders.push({ id, side, booking, key, total, tickets: [] })
    }
    return observedOf(answer)
  }

  repeatBooking(which: number) {
    const { side, key, seats } = this.bookings[which]
    return this.book(side, key, [...seats].reverse())
  }

  repeatOrder(which: number) {
    const { side, booking, key } = this.orders[which]
    return this.order(side, booking, key)
  }

  async confirm(side: Side, order: number, isFullAmount: boolean) {
    const found = this.orders[order]
    const payment = paymentOf(found.total + (isFullAmount ? 0 : 1))
    const answer = await this.#client(side).post(`/orders/${found.id}/confirm`, payment)
    if (answer.status === 200 && found.tickets.length === 0) {
      found.tickets = answer.data.tickets.map((one: { ticket_id: string }) => one.ticket_id)
      this.tokens.push(...answer.data.tickets.map((one: { qr_token: string }) => one.qr_token))
    }
    return observedOf(answer)
  }

  async cancel(side: Side, order: number) {
    return observedOf(await this.#client(side).post(`/orders/${this.orders[order].id}/cancel`))
  }

  async find(side: Side, key: number) {
    const path = `/orders?partner_order_id=${this.#key('o', key)}`
    return observedOf(await this.#client(side).get(path))
  }

  async refund(side: Side, order: number, chosen: number[], reason: string) {
    const { id, tickets } = this.orders[order]
    const ids = chosen.map((index) => tickets[index] ?? `tkt_${'0'.repeat(25)}${index}`)
    const body = { ticket_ids: ids, reason }
    return observedOf(await this.#client(side).post(`/orders/${id}/refund`, body))
  }

  async show(side: Side) {
    return observedOf(await this.#client(side).get(`/events/${this.event.id}`))
  }

  async scan(which: number) {
    return observedOf(await this.gate.scan(this.event.id, this.tokens[which]))
  }

  storefrontHold = (seats: number[]) =>
    act(async () => {
      const hold = { ...this.#about, seats: names(seats), holdSeconds: 600 }
      const { cartId } = await new HoldForStorefront().handle(hold)
      this.carts.push(cartId)
    })

  storefrontSell = (cart: number) =>
    act(() => new SellToStorefront().handle({ ...this.#about, cartId: this.carts[cart] }))

  storefrontRelease = (cart: number) =>
    act(() => new ReleaseFromStorefront().handle({ ...this.#about, cartId: this.carts[cart] }))

  changeStatus = (trigger: 'open' | 'pause' | 'close') =>
    act(() => new ChangeEventStatus().handle({ ...this.#about, trigger, reason: null }))

  cancelEvent = () => act(() => new CancelEvent().handle({ ...this.#about, reason: 'Отмена' }))

  changeBlock = (seats: number[], to: 'blocked' | 'free') =>
    act(() => {
      const Change = to === 'blocked' ? BlockSeats : UnblockSeats
      return new Change().handle({ ...this.#about, seats: names(seats), reason: null })
    })

  changeAccess = (side: Side, access: 'active' | 'revoked') =>
    act(() => grant(this.partners[side], this.event, access))

  changePartner = (side: Side, isSuspended: boolean) =>
    act(() =>
      new ChangePartnerStatus().handle({
        partnerCode: this.partners[side].code,
        to: isSuspended ? 'suspended' : 'active',
        reason: null,
        actor: TESTER,
      })
    )

  reprice = (price: number) =>
    act(() =>
      db.transaction((trx) => setPrices(this.event.id, { ...PRICES, standard: BigInt(price) }, trx))
    )

  lapseBooking = (which: number) =>
    this.#lapse(
      `UPDATE bookings SET expires_at = ${PAST} WHERE id = $1 AND stored_status = 'active' RETURNING id`,
      this.bookings[which].id
    )

  lapseOrder = (which: number) =>
    this.#lapse(
      `UPDATE orders SET window_ends_at = ${PAST} WHERE id = $1 AND stored_status = 'pending' RETURNING booking_id AS id`,
      this.orders[which].id
    )

  lapseCart = (which: number) =>
    act(() =>
      rows(`UPDATE event_seats SET hold_until = ${PAST} WHERE held_by = $1 AND state = 'free'`, [
        this.carts[which],
      ])
    )

  sweep = () => act(() => expireOverdue())

  get #about() {
    return { eventId: this.event.id, actor: TESTER }
  }

  #client(side: Side) {
    return this.partners[side].client
  }

  #key = (name: string, key: number) => `${name}${key}-${this.#run}`

  /** The row and the hold in one statement: no moment between them. */
  #lapse = (update: string, id: string) =>
    act(() =>
      rows(
        `WITH lapsed AS (${update})
         UPDATE event_seats s SET hold_until = ${PAST} FROM lapsed WHERE s.held_by = lapsed.id AND s.state = 'free'`,
        [id]
      )
    )
}

const observedOf = (answer: Answer): Observed => ({
  outcome: outcomeOf(answer),
  details: answer.error?.details,
  status: answer.data?.status,
  answer,
})

async function act(work: () => Promise<unknown>): Promise<Observed> {
  try {
    await work()
    return { outcome: '200' }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { outcome: `${error.status} ${error.refusalCode}`, details: error.details }
  }
}
