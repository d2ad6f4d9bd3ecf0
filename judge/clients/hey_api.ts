import { client } from './generated/hey_api/client.gen.ts'
import {
  confirmOrder,
  createBooking,
  createOrder,
  findOrder,
  listEvents,
  listSeats,
} from './generated/hey_api/sdk.gen.ts'
import type { Seat } from './generated/hey_api/types.gen.ts'
import { baseUrl, buyer, eventId, fail, newKey, paymentOf, report, signatureOf } from './shop.ts'

client.setConfig({ baseUrl })
client.interceptors.request.use(async (request) => {
  const signed = signatureOf(request.method, request.url, await request.clone().text())
  for (const [name, value] of Object.entries(signed)) request.headers.set(name, value)
  return request
})

const events = await listEvents({ query: { limit: 100 } })
if (!events.data) fail('events', events.error)
const event = events.data.data.find((one) => one.event_id === eventId) ?? fail('event', eventId)

const seats = await freeSeats()
const held = await createBooking({
  body: {
    event_id: eventId,
    partner_booking_id: newKey(),
    seats: seats.map((seat) => seat.space_id),
    customer: buyer,
  },
})
if (!held.data) fail('booking', held.error)

const key = newKey()
const booking = held.data.data
const placed = await createOrder({
  body: { booking_id: booking.booking_id, partner_order_id: key, customer: buyer, consent: true },
})
if (!placed.data) fail('order', placed.error)

const found = await findOrder({ query: { partner_order_id: key } })
if (!found.data || found.data.data.tickets) fail('the order before payment', found)

const path = { order_id: placed.data.data.order_id }
const total = placed.data.data.total_tenge
const wrong = await confirmOrder({ path, body: { payment_info: paymentOf(total - 1) } })
if (!wrong.error) fail('confirm with a wrong amount', wrong.data)

const confirmed = await confirmOrder({ path, body: { payment_info: paymentOf(total) } })
if (!confirmed.data) fail('confirm', confirmed.error)

const order = confirmed.data.data
const { code, details } = wrong.error.error
report({
  eventTitle: event.title.kk,
  seats: seats.map((seat) => ({
    id: seat.space_id,
    label: `${seat.row_label}-${seat.seat_label}`,
    price: seat.price_tenge ?? 0,
  })),
  problem: { code, expected: details.total_tenge, field: details.fields?.[0]?.field },
  orderId: order.order_id,
  email: order.customer.email,
  paidAt: order.payment_info?.paid_at,
  tickets: order.tickets.map((ticket) => ({
    number: ticket.number,
    seat: ticket.space_id,
    token: ticket.qr_token,
    pdf: ticket.pdf_url,
  })),
})

async function freeSeats(): Promise<Seat[]> {
  const at = { path: { event_id: eventId } }
  const sectors = await listSeats(at)
  for (const row of sectors.data?.data ?? []) {
    const answer = await listSeats({ ...at, query: { sector: row.sector_id } })
    const free: Seat[] = []
    for (const seat of answer.data?.data ?? []) {
      if ('space_id' in seat && seat.is_sellable) free.push(seat)
    }
    if (free.length >= 2) return free.slice(0, 2)
  }
  return fail('seats', sectors)
}
