import { aSale, book, order, paymentOf, sell, uniqueKey } from '#tests/support/fixtures'
import type { EventOptions } from '#tests/support/fixtures'
import type { PartnerClient } from '#tests/support/partner_client'
import type { PartnerSettings } from '#partners/settings'

type SaleOptions = { settings?: Partial<PartnerSettings>; event?: EventOptions }

export const bookingBody = (eventId: string, more: object = {}) => ({
  event_id: eventId,
  partner_booking_id: uniqueKey('b'),
  seats: ['seat-2-1'],
  ...more,
})

export const orderBody = (bookingId: string, more: object = {}) => ({
  booking_id: bookingId,
  partner_order_id: uniqueKey('o'),
  customer: { email: 'buyer@example.kz' },
  consent: true,
  ...more,
})

/** A sale with an active booking of two standard seats. */
export async function aBooking(options: SaleOptions = {}) {
  const sale = await aSale(options)
  const { data: booking } = await book(sale.client, sale.event.id, ['seat-2-1', 'seat-2-2'])
  return { ...sale, booking }
}

/** A sale with a pending order of two standard seats, 24 000 tenge. */
export async function anOrder(options: SaleOptions = {}) {
  const sale = await aBooking(options)
  const { data: pending } = await order(sale.client, sale.booking.booking_id)
  return { ...sale, order: pending }
}

/** A sale with a paid order of two standard seats and its tickets. */
export async function aPaidOrder(options: SaleOptions = {}) {
  const sale = await aSale(options)
  const paid = await sell(sale.client, sale.event.id, ['seat-2-1', 'seat-2-2'])
  return { ...sale, order: paid }
}

export const confirm = (client: PartnerClient, orderId: string, body: object = paymentOf(24_000)) =>
  client.post(`/orders/${orderId}/confirm`, body)

export const cancel = (client: PartnerClient, orderId: string) =>
  client.post(`/orders/${orderId}/cancel`)

export const refund = (
  client: PartnerClient,
  orderId: string,
  ticketIds: string[],
  reason = 'Не смогут прийти'
) => client.post(`/orders/${orderId}/refund`, { ticket_ids: ticketIds, reason })

export const findOrder = (client: PartnerClient, key: string) =>
  client.get(`/orders?partner_order_id=${encodeURIComponent(key)}`)

/** The nine operations of the contract, each as a request that can be made as it stands. */
export async function everyOperation() {
  const { client, event, order: paid, partner } = await aPaidOrder()
  const id = paid.order_id as string
  const operations = [
    { name: 'GET /events', method: 'GET', path: '/events' },
    { name: 'GET /events/{event_id}', method: 'GET', path: `/events/${event.id}` },
    { name: 'GET /events/{event_id}/seats', method: 'GET', path: `/events/${event.id}/seats` },
    { name: 'POST /bookings', method: 'POST', path: '/bookings', body: bookingBody(event.id) },
    { name: 'POST /orders', method: 'POST', path: '/orders', body: orderBody(paid.booking_id) },
    {
      name: 'GET /orders',
      method: 'GET',
      path: `/orders?partner_order_id=${paid.partner_order_id}`,
    },
    {
      name: 'POST /orders/{order_id}/confirm',
      method: 'POST',
      path: `/orders/${id}/confirm`,
      body: paymentOf(24_000),
    },
    { name: 'POST /orders/{order_id}/cancel', method: 'POST', path: `/orders/${id}/cancel` },
    {
      name: 'POST /orders/{order_id}/refund',
      method: 'POST',
      path: `/orders/${id}/refund`,
      body: { ticket_ids: ['tkt_00000000000000000000000000'], reason: 'нет' },
    },
  ] as { name: string; method: 'GET' | 'POST'; path: string; body?: object }[]
  return { client, partner, event, order: paid, operations }
}
