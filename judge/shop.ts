import { randomUUID } from 'node:crypto'
import { Client, type Answer } from './client.ts'
import type { Partner, Product } from './types.ts'

const CUSTOMER = { name: 'Guest', email: 'guest@example.kz', phone: '+77010000000' }

/** A partner's shop that sells seats of the arena, each of them once. */
export class Shop {
  readonly client: Client
  readonly partner: Partner
  readonly eventId: string
  readonly #seats: AsyncGenerator<string>

  constructor(product: Product, partnerCode = 'bulk') {
    this.client = new Client(product)
    this.partner = product.partners[partnerCode]
    this.eventId = product.events.arena
    this.#seats = this.#freeSeats()
  }

  async nextSeat(): Promise<string> {
    const { value, done } = await this.#seats.next()
    if (done) throw new Error('The arena has no free seat left')
    return value
  }

  async *#freeSeats() {
    const sectors = await this.get(`/events/${this.eventId}/seats`)
    for (const { sector_id: sector } of sectors.json.data as { sector_id: string }[]) {
      const seats = await this.get(`/events/${this.eventId}/seats?sector=${sector}`)
      for (const seat of seats.json.data as { space_id: string; is_sellable: boolean }[]) {
        if (seat.is_sellable) yield seat.space_id
      }
    }
  }

  get(path: string, headers?: Record<string, string>) {
    return this.client.get(this.partner, path, headers)
  }

  post(path: string, body: unknown, headers?: Record<string, string>) {
    return this.client.post(this.partner, path, body, headers)
  }

  async bookingBody() {
    return {
      event_id: this.eventId,
      partner_booking_id: randomUUID(),
      seats: [await this.nextSeat()],
    }
  }

  orderBody(bookingId: string) {
    return {
      booking_id: bookingId,
      partner_order_id: randomUUID(),
      customer: CUSTOMER,
      consent: true,
    }
  }

  confirmBody(amountTenge: number) {
    return {
      payment_info: {
        amount_tenge: amountTenge,
        paid_at: new Date().toISOString(),
        external_payment_id: randomUUID(),
        currency: 'KZT',
        method: 'card',
      },
    }
  }

  async book() {
    return dataOf(await this.post('/bookings', await this.bookingBody()), 201)
  }

  async order() {
    const booking = await this.book()
    return dataOf(await this.post('/orders', this.orderBody(booking.booking_id)), 201)
  }

  async sell() {
    const order = await this.order()
    const path = `/orders/${order.order_id}/confirm`
    return dataOf(await this.post(path, this.confirmBody(order.total_tenge)), 200)
  }

  close() {
    this.client.close()
  }
}

function dataOf({ status, json, text }: Answer, expected: number) {
  if (status !== expected) throw new Error(`Expected ${expected}, not ${status}: ${text}`)
  return json.data
}
