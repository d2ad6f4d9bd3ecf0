import EraseBuyer from '#privacy/erase_buyer'
import type { BuyerSearch } from '#privacy/find_buyer'
import { dataOf } from '#tests/support/answers'
import { aSale, paymentOf, TESTER } from '#tests/support/fixtures'
import { bookingBody, confirm, orderBody } from '#tests/support/operations'
import { one } from '#tests/support/rows'
import { randomUUID } from 'node:crypto'

/** A buyer whom nobody else shares a word with. */
export function aBuyer() {
  const digits = String(Math.floor(Math.random() * 1e7)).padStart(7, '0')
  return {
    // Letters alone: PostgreSQL may read digits among them as the end of a word.
    name: `Айдана ${randomUUID().replace(/[^a-f]/g, '')}`,
    email: `Aida.${randomUUID()}@mail.kz`,
    phone: `+7 701 ${digits.slice(0, 3)} ${digits.slice(3, 5)} ${digits.slice(5)}`,
  }
}
export type Buyer = ReturnType<typeof aBuyer>

/** A paid order of a buyer, with the bodies that a partner would repeat. */
export async function bought(
  buyer: Buyer = aBuyer(),
  { sale, seat = 'seat-2-1' }: { sale?: Awaited<ReturnType<typeof aSale>>; seat?: string } = {}
) {
  const { client, event, partner } = sale ?? (await aSale())
  const booking = bookingBody(event.id, { seats: [seat], customer: buyer })
  const { booking_id: bookingId } = dataOf(await client.post('/bookings', booking))
  const body = orderBody(bookingId, { customer: buyer })
  const { order_id: orderId } = dataOf(await client.post('/orders', body))
  const payment = paymentOf(12_000, { method: `card of ${buyer.phone}` })
  const paid = dataOf(await confirm(client, orderId, payment))
  return { client, event, partner, buyer, booking, bookingId, body, orderId, payment, paid }
}

export const erase = (search: BuyerSearch, more: object = {}) =>
  new EraseBuyer().handle({ ...search, reason: 'По запросу', actor: TESTER, most: 1000, ...more })
export const byOrder = (text: string): BuyerSearch => ({ foundBy: 'order', text })
export const byEmail = (text: string): BuyerSearch => ({ foundBy: 'email', text })
export const byPhone = (text: string): BuyerSearch => ({ foundBy: 'phone', text })

export const pseudonymOf = (id: string) => `erased-${id.toLowerCase()}@erased.invalid`
export const customerOf = async (table: 'orders' | 'bookings', id: string) => {
  const { customer } = await one(`SELECT customer FROM ${table} WHERE id = ?`, id)
  return customer as object
}
