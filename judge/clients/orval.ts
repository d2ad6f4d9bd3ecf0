import {
  confirmOrder,
  createBooking,
  createOrder,
  findOrder,
  listEvents,
  listSeats,
  type Seat,
} from './generated/orval.ts'
import { buyer, eventId, fail, newKey, paymentOf, report } from './shop.ts'

const events = await listEvents({ limit: 100 })
if (events.status !== 200) fail('events', events)
const event = events.data.data.find((one) => one.event_id === eventId) ?? fail('event', eventId)

const seats = await freeSeats()
const held = await createBooking({
  event_id: eventId,
  partner_booking_id: newKey(),
  seats: seats.map((seat) => seat.space_id),
  customer: buyer,
})
if (held.status !== 201) fail('booking', held)

const key = newKey()
const booking = held.data.data
const placed = await createOrder({
  booking_id: booking.booking_id,
  partner_order_id: key,
  customer: buyer,
  consent: true,
})
if (placed.status !== 201) fail('order', placed)

const found = await findOrder({ partner_order_id: key })
if (found.status !== 200 || found.data.data.tickets) fail('the order before payment', found)

const orderId = placed.data.data.order_id
const total = placed.data.data.total_tenge
const wrong = await confirmOrder(orderId, { payment_info: paymentOf(total - 1) })
if (wrong.status !== 422) fail('confirm with a wrong amount', wrong)

const confirmed = await confirmOrder(orderId, { payment_info: paymentOf(total) })
if (confirmed.status !== 200) fail('confirm', confirmed)

const order = confirmed.data.data
const { code, details } = wrong.data.error
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
  const sectors = await listSeats(eventId)
  if (sectors.status !== 200) return fail('sectors', sectors)
  for (const row of sectors.data.data) {
    const answer = await listSeats(eventId, { sector: row.sector_id })
    if (answer.status !== 200) return fail('seats', answer)
    const free: Seat[] = []
    for (const seat of answer.data.data) {
      if ('space_id' in seat && seat.is_sellable) free.push(seat)
    }
    if (free.length >= 2) return free.slice(0, 2)
  }
  return fail('seats', sectors)
}
