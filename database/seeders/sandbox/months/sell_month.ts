import platform from '#config/platform'
import { openEventKey, type EventKeyRow } from '#catalog/event_keys'
import { DAY_MS, HOUR_MS, localDay, MINUTE_MS, SECOND_MS, YEAR_MS } from '#shared/days'
import { newId } from '#shared/public_id'
import { statement } from '#shared/statement'
import { issueQrToken } from '#tickets/qr_token'
import { ticketNumber } from '#tickets/ticket_number'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { randomUUID } from 'node:crypto'
import { insertRows } from './insert_rows.js'
import type { PlannedOrder } from './month_plan.js'

const WINDOW_MS = 5 * MINUTE_MS
const CONFIRMED_AFTER_MS = 90 * SECOND_MS
const CHARGED_AFTER_MS = 60 * SECOND_MS
const LATE_AFTER_MS = WINDOW_MS + 2 * MINUTE_MS
const REFUNDED_AFTER_MS = 2 * DAY_MS + 3 * HOUR_MS
const REASON = 'Песочница: возврат по просьбе покупателя'

interface Seat {
  id: string
  space_id: string
  category_code: string
  price_tenge: string
}
/** A seat with the id of its ticket. */
interface Place extends Seat {
  ticketId: string
}
interface Event extends EventKeyRow {
  endsAt: Date
}

export interface SellingPartner {
  id: number
  apiKey: string
  eventId: string
}

/** An order as it stands in the database. */
export interface SoldOrder extends PlannedOrder {
  id: string
  bookingId: string
  paymentId: string
  paidAt: Date
  confirmReceivedAt: Date
  refundedAt: Date | null
  totalTenge: bigint
  places: Place[]
}

// In an order that is mixed, but the same in every sandbox.
const selectSeats = statement<Seat, { eventId: string; count: number }>(
  'sandbox_month_seats',
  `SELECT id::text, space_id, category_code, price_tenge::text FROM event_seats
    WHERE event_id = :eventId AND state = 'free' AND held_by IS NULL AND price_tenge IS NOT NULL
    ORDER BY md5(space_id) LIMIT :count FOR UPDATE`
)
const drawOrderNumbers = statement<{ n: string }, { count: number }>(
  'sandbox_month_order_numbers',
  `SELECT nextval('order_numbers')::text AS n FROM generate_series(1, :count::int)`
)
const drawTicketNumbers = statement<{ n: string }, { count: number }>(
  'sandbox_month_ticket_numbers',
  `SELECT nextval('ticket_numbers')::text AS n FROM generate_series(1, :count::int)`
)
const selectEvent = statement<Event, { eventId: string }>(
  'sandbox_month_event',
  `SELECT k.kid, k.private_key_encrypted, e.ends_at AS "endsAt"
     FROM events e JOIN event_keys k ON k.event_id = e.id WHERE e.id = :eventId LIMIT 1`
)
const convertBookings = statement<object, { orderIds: string[] }>(
  'sandbox_month_convert',
  `UPDATE bookings b SET stored_status = 'converted', order_id = o.id
     FROM orders o WHERE o.id = ANY(:orderIds::text[]) AND b.id = o.booking_id`
)
/** The trigger of `orders` writes the movements of the ledger. */
const payOrders = statement<object, { payments: string }>(
  'sandbox_month_pay',
  `UPDATE orders o
      SET stored_status = 'paid', confirmed_at = p.confirmed_at, payment_amount_tenge = o.total_tenge,
          payment_paid_at_raw = p.paid_at_raw, payment_paid_at = p.paid_at_raw::timestamptz,
          payment_external_id = p.payment_id, payment_currency = 'KZT', payment_method = 'card'
     FROM jsonb_to_recordset(:payments::jsonb) AS p (id text, confirmed_at timestamptz, paid_at_raw text, payment_id text)
    WHERE o.id = p.id`
)
const sellSeats = statement<object, { orderIds: string[] }>(
  'sandbox_month_sell_seats',
  `UPDATE event_seats s SET state = 'sold', held_by = o.booking_id
     FROM orders o JOIN booking_seats line ON line.booking_id = o.booking_id
    WHERE o.id = ANY(:orderIds::text[]) AND s.id = line.event_seat_id`
)
const expireOrders = statement<object, { orderIds: string[] }>(
  'sandbox_month_expire',
  `UPDATE orders SET stored_status = 'expired' WHERE id = ANY(:orderIds::text[])`
)
/** The trigger of `tickets` writes the movements of the ledger. */
const voidTickets = statement<object, { refunds: string; reason: string; voidedBy: string }>(
  'sandbox_month_void_tickets',
  `UPDATE tickets t
      SET status = 'void', void_cause = 'refund', void_reason = :reason, voided_at = r.voided_at, voided_by = :voidedBy
     FROM jsonb_to_recordset(:refunds::jsonb) AS r (id text, voided_at timestamptz)
    WHERE t.order_id = r.id`
)
const settleRefunds = statement<object, { orderIds: string[] }>(
  'sandbox_month_settle_refunds',
  `WITH settled AS (
     UPDATE orders SET stored_status = 'refunded' WHERE id = ANY(:orderIds::text[]) RETURNING booking_id)
   UPDATE event_seats s SET state = 'free', held_by = NULL FROM settled WHERE s.held_by = settled.booking_id`
)

/**
 * Writes the orders of a past month with everything that belongs to them: bookings, seats, confirms, tickets, refunds and the
 * journal. Movements are written by the same triggers as for any sale.
 */
export async function sellMonth(
  planned: PlannedOrder[],
  partner: SellingPartner,
  trx: TransactionClientContract
): Promise<SoldOrder[]> {
  const sold = await drawOrders(planned, partner.eventId, trx)
  const paid = sold.filter(({ story }) => story !== 'late')
  const late = sold.filter(({ story }) => story === 'late')
  const refunded = sold.filter(({ refundedAt }) => refundedAt !== null)

  await placeOrders(sold, partner, trx)
  await payAll(paid, partner, trx)
  await expireOrders({ orderIds: late.map(({ id }) => id) }, trx)
  await insertRows(
    'confirm_attempts',
    sold.map((order) => attemptOf(order, partner)),
    trx
  )
  await refundAll(refunded, partner, trx)
  await insertRows(
    'journal',
    sold.flatMap((order) => entriesOf(order, partner)),
    trx
  )
  return sold
}

/** Gives the planned orders their numbers and seats. */
async function drawOrders(
  planned: PlannedOrder[],
  eventId: string,
  trx: TransactionClientContract
): Promise<SoldOrder[]> {
  const count = planned.reduce((sum, { seats }) => sum + seats, 0)
  const free = await selectSeats({ eventId, count }, trx)
  const numbers = await drawOrderNumbers({ count: planned.length }, trx)
  return planned.map((order, n) => {
    const { placedAt, story } = order
    const isLate = story === 'late'
    const isRefunded = story === 'refunded' || story === 'refund_not_shown'
    const confirmReceivedAt = later(placedAt, isLate ? LATE_AFTER_MS : CONFIRMED_AFTER_MS)
    const places = free
      .splice(0, order.seats)
      .map((seat) => ({ ...seat, ticketId: newId('tkt', confirmReceivedAt.getTime()) }))
    return {
      ...order,
      id: orderId(placedAt, numbers[n].n),
      bookingId: newId('bkg', placedAt.getTime()),
      paymentId: `pay-${order.reference}`,
      paidAt: later(placedAt, isLate ? WINDOW_MS + CHARGED_AFTER_MS : CHARGED_AFTER_MS),
      confirmReceivedAt,
      refundedAt: isRefunded ? later(confirmReceivedAt, REFUNDED_AFTER_MS) : null,
      totalTenge: places.reduce((sum, { price_tenge: price }) => sum + BigInt(price), 0n),
      places,
    }
  })
}

const later = (at: Date, ms: number) => new Date(at.getTime() + ms)
const orderId = (at: Date, n: string) =>
  `${platform.prefix}-${localDay(at).slice(0, 4)}-${n.padStart(6, '0')}`
const customerOf = ({ reference }: SoldOrder) => ({ email: `${reference}@buyers.test` })

async function placeOrders(
  sold: SoldOrder[],
  { id: partnerId, eventId }: SellingPartner,
  trx: TransactionClientContract
) {
  const bookings = sold.map((order) => ({
    id: order.bookingId,
    partner_id: partnerId,
    partner_booking_id: order.reference,
    event_id: eventId,
    stored_status: 'active',
    customer: customerOf(order),
    total_tenge: String(order.totalTenge),
    ttl_seconds: 180,
    created_at: order.placedAt,
    expires_at: later(order.placedAt, 3 * MINUTE_MS),
  }))
  const seats = sold.flatMap(({ bookingId, places }) =>
    places.map((seat, n) => ({
      booking_id: bookingId,
      position: n + 1,
      event_seat_id: seat.id,
      space_id: seat.space_id,
      category_code: seat.category_code,
      price_tenge: seat.price_tenge,
    }))
  )
  const orders = sold.map((order) => ({
    id: order.id,
    partner_id: partnerId,
    partner_order_id: order.reference,
    booking_id: order.bookingId,
    event_id: eventId,
    stored_status: 'pending',
    customer: customerOf(order),
    total_tenge: String(order.totalTenge),
    created_at: order.placedAt,
    window_ends_at: later(order.placedAt, WINDOW_MS),
  }))
  await insertRows('bookings', bookings, trx)
  await insertRows('booking_seats', seats, trx)
  await insertRows('orders', orders, trx)
  await convertBookings({ orderIds: sold.map(({ id }) => id) }, trx)
}

async function payAll(
  paid: SoldOrder[],
  { eventId }: SellingPartner,
  trx: TransactionClientContract
) {
  const payments = paid.map((order) => ({
    id: order.id,
    confirmed_at: order.confirmReceivedAt,
    paid_at_raw: order.paidAt.toISOString(),
    payment_id: order.paymentId,
  }))
  await payOrders({ payments: JSON.stringify(payments) }, trx)
  await sellSeats({ orderIds: paid.map(({ id }) => id) }, trx)
  const event = await selectEvent.one({ eventId }, trx)
  const count = paid.reduce((sum, { places }) => sum + places.length, 0)
  const numbers = await drawTicketNumbers({ count }, trx)
  const tickets = paid.flatMap((order) =>
    order.places.map((place, n) =>
      ticketOf(order, place, n + 1, BigInt(numbers.pop()!.n), { ...event, eventId })
    )
  )
  await insertRows('tickets', tickets, trx)
}

function ticketOf(
  order: SoldOrder,
  place: Place,
  position: number,
  n: bigint,
  event: Event & { eventId: string }
) {
  const { eventId, kid, endsAt } = event
  const number = ticketNumber(platform.prefix, n)
  const claims = {
    iss: platform.prefix,
    sub: place.ticketId,
    event_id: eventId,
    space_id: place.space_id,
    number,
    iat: seconds(order.confirmReceivedAt),
    exp: seconds(later(endsAt, YEAR_MS)),
  }
  return {
    id: place.ticketId,
    number,
    order_id: order.id,
    event_id: eventId,
    event_seat_id: place.id,
    position,
    status: 'active',
    price_tenge: place.price_tenge,
    qr_token: issueQrToken(claims, kid, openEventKey(event)),
    issued_at: order.confirmReceivedAt,
  }
}

const seconds = (at: Date) => Math.floor(at.getTime() / SECOND_MS)

function attemptOf(order: SoldOrder, partner: SellingPartner) {
  const isLate = order.story === 'late'
  const { confirmReceivedAt: receivedAt } = order
  return {
    partner_id: partner.id,
    order_id_sent: order.id,
    request_id: randomUUID(),
    received_at: receivedAt,
    timestamp_sent: String(seconds(receivedAt)),
    signature_valid: true,
    amount_raw: String(order.totalTenge),
    amount_tenge: String(order.totalTenge),
    paid_at_raw: order.paidAt.toISOString(),
    paid_at: order.paidAt,
    paid_at_precision: 'subsecond',
    external_payment_id: order.paymentId,
    currency: 'KZT',
    method: 'card',
    http_status: isLate ? 409 : 200,
    code: isLate ? 'ORDER_EXPIRED' : null,
    order_status: isLate ? 'expired' : 'paid',
    window_ends_at: later(order.placedAt, WINDOW_MS),
    answered_at: later(receivedAt, SECOND_MS / 10),
  }
}

async function refundAll(
  refunded: SoldOrder[],
  { apiKey }: SellingPartner,
  trx: TransactionClientContract
) {
  const refunds = refunded.map(({ id, refundedAt }) => ({ id, voided_at: refundedAt }))
  await voidTickets(
    { refunds: JSON.stringify(refunds), reason: REASON, voidedBy: `partner:${apiKey}` },
    trx
  )
  await settleRefunds({ orderIds: refunded.map(({ id }) => id) }, trx)
}

function entriesOf(order: SoldOrder, partner: SellingPartner) {
  const { id, bookingId, story, placedAt, confirmReceivedAt, refundedAt, totalTenge } = order
  const subjects = { partner_id: partner.id, event_id: partner.eventId, booking_id: bookingId }
  const entry = (at: Date, name: string, more: object = {}) => ({
    at,
    name,
    actor_kind: 'partner',
    actor: partner.apiKey,
    request_id: randomUUID(),
    ...subjects,
    order_id: id,
    change: {},
    ...more,
  })
  const placed = [
    entry(placedAt, 'booking_created', { order_id: null }),
    entry(placedAt, 'order_placed'),
  ]
  if (story === 'late') {
    const byClock = { actor_kind: 'clock', actor: 'clock', request_id: null }
    return [...placed, entry(later(placedAt, WINDOW_MS), 'order_expired', byClock)]
  }
  const confirmed = [...placed, entry(confirmReceivedAt, 'order_confirmed')]
  if (refundedAt === null) return confirmed
  const change = {
    ticket_ids: order.places.map(({ ticketId }) => ticketId),
    reason: REASON,
    refunded_tenge: String(totalTenge),
  }
  return [...confirmed, entry(refundedAt, 'tickets_refunded', { change })]
}
