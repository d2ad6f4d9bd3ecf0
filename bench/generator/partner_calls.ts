import type { HttpSocket } from './http_socket.ts'
import type { Credentials, Lot } from './jobs.ts'
import { signedRequest } from './signed_request.ts'
import type { Tally } from './tally.ts'
import { newKey } from './fresh_ids.ts'

export const CUSTOMER = { name: 'Айгерім Сәрсен', email: 'buyer@load.test', phone: '+77010000000' }

export interface Booked {
  booking_id: string
  total_tenge: number
}

export interface Ordered {
  order_id: string
  total_tenge: number
}

/** A partner's calls over one connection; undefined when the answer is a refusal. */
export class PartnerCalls {
  readonly socket: HttpSocket
  readonly partner: Credentials
  readonly #tally: Tally

  constructor(socket: HttpSocket, partner: Credentials, tally: Tally) {
    this.socket = socket
    this.partner = partner
    this.#tally = tally
  }

  book({ eventId, seats }: Lot) {
    const body = {
      event_id: eventId,
      partner_booking_id: newKey('b'),
      seats,
      customer: CUSTOMER,
    }
    return this.#post<Booked>('booking', '/bookings', body)
  }

  order({ booking_id: bookingId }: Booked) {
    const body = {
      booking_id: bookingId,
      partner_order_id: newKey('o'),
      customer: CUSTOMER,
      consent: true,
    }
    return this.#post<Ordered>('order', '/orders', body)
  }

  confirm({ order_id: orderId, total_tenge: amount }: Ordered) {
    const payment = {
      amount_tenge: amount,
      paid_at: new Date().toISOString(),
      external_payment_id: newKey('p'),
      currency: 'KZT',
      method: 'card',
    }
    return this.#post<{ tickets: { space_id: string }[] }>(
      'confirm',
      `/orders/${orderId}/confirm`,
      { payment_info: payment }
    )
  }

  async #post<Data>(what: string, path: string, body: unknown): Promise<Data | undefined> {
    const request = signedRequest(this.partner, 'POST', path, JSON.stringify(body))
    const answer = await this.socket.send(request, true)
    const { data, error } = JSON.parse(answer.body)
    this.#tally.answered(`${what} ${answer.status}${error ? ` ${error.code}` : ''}`)
    return data
  }
}
