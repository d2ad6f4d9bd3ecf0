import type { Customer } from '#sales/customer'
import { orderStatus, type OrderStatus } from '#sales/order_status'
import {
  BOOKED_SEATS,
  toBookedSeat,
  type BookedSeat,
  type SeatJson,
} from '#sales/queries/find_booking'
import type { TicketStatus } from '#tickets/ticket_status'
import { TICKET_STATUS } from '#tickets/ticket_status'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { statement } from '#shared/statement'

export interface StoredPayment {
  amountTenge: bigint
  paidAt: Date
  externalPaymentId: string
  currency: string
  method: string | null
}

export interface OrderTicket {
  id: string
  number: string
  status: TicketStatus
  spaceId: string
  sectorId: string
  rowLabel: string
  seatLabel: string
  priceTenge: bigint
  qrToken: string
}

export interface Order {
  id: string
  partnerOrderId: string
  bookingId: string
  eventId: string
  status: OrderStatus
  customer: Customer
  /** The customer is a pseudonym: the buyer was erased. */
  isBuyerErased: boolean
  seats: BookedSeat[]
  totalTenge: bigint
  createdAt: Date
  windowEndsAt: Date
  payment: StoredPayment | null
  tickets: OrderTicket[]
  offsetMinutes: number
}

export interface OrderRow {
  id: string
  partner_order_id: string
  booking_id: string
  event_id: string
  status: OrderStatus
  customer: Customer
  /** Absent where the order was placed or paid just now. */
  is_buyer_erased?: boolean
  seats: SeatJson[]
  total_tenge: bigint
  created_at: Date
  window_ends_at: Date
  payment_amount_tenge: bigint | null
  payment_paid_at: Date | null
  payment_external_id: string | null
  payment_currency: string | null
  payment_method: string | null
  tickets: TicketJson[] | null
  utc_offset_minutes: number
}

export interface TicketJson {
  id: string
  number: string
  status: TicketStatus
  space_id: string
  sector_id: string
  row_label: string
  seat_label: string
  price_tenge: number
  qr_token: string
}

export const toTicket = (ticket: TicketJson): OrderTicket => ({
  id: ticket.id,
  number: ticket.number,
  status: ticket.status,
  spaceId: ticket.space_id,
  sectorId: ticket.sector_id,
  rowLabel: ticket.row_label,
  seatLabel: ticket.seat_label,
  priceTenge: BigInt(ticket.price_tenge),
  qrToken: ticket.qr_token,
})

const toPayment = (row: OrderRow): StoredPayment | null =>
  row.payment_amount_tenge === null
    ? null
    : {
        amountTenge: row.payment_amount_tenge,
        paidAt: row.payment_paid_at!,
        externalPaymentId: row.payment_external_id!,
        currency: row.payment_currency!,
        method: row.payment_method,
      }

export const toOrder = (row: OrderRow): Order => ({
  id: row.id,
  partnerOrderId: row.partner_order_id,
  bookingId: row.booking_id,
  eventId: row.event_id,
  status: row.status,
  customer: row.customer,
  isBuyerErased: row.is_buyer_erased ?? false,
  seats: row.seats.map(toBookedSeat),
  totalTenge: row.total_tenge,
  createdAt: row.created_at,
  windowEndsAt: row.window_ends_at,
  payment: toPayment(row),
  tickets: (row.tickets ?? []).map(toTicket),
  offsetMinutes: row.utc_offset_minutes,
})

const SELECT_ORDER = `
  SELECT o.id, o.partner_order_id, o.booking_id, o.event_id, ${orderStatus('clock_timestamp()')} AS status, o.customer,
         o.buyer_erased_at IS NOT NULL AS is_buyer_erased,
         o.total_tenge, o.created_at, o.window_ends_at, o.payment_amount_tenge, o.payment_paid_at,
         o.payment_external_id, o.payment_currency, o.payment_method, v.utc_offset_minutes,
         ${BOOKED_SEATS} AS seats,
         (SELECT json_agg(json_build_object(
                   'id', t.id, 'number', t.number, 'status', ${TICKET_STATUS}, 'space_id', s.space_id,
                   'sector_id', sec.public_id, 'row_label', r.label, 'seat_label', s.label,
                   'price_tenge', t.price_tenge, 'qr_token', t.qr_token) ORDER BY t.position)
            FROM tickets t JOIN event_seats s ON s.id = t.event_seat_id
            JOIN sectors sec ON sec.id = s.sector_id JOIN hall_rows r ON r.id = s.row_id
           WHERE t.order_id = o.id) AS tickets
    FROM orders o JOIN bookings b ON b.id = o.booking_id
    JOIN events e ON e.id = o.event_id JOIN venues v ON v.id = e.venue_id`

const selectByKey = statement<OrderRow, { partnerId: number; partnerOrderId: string }>(
  'order_by_key',
  `${SELECT_ORDER} WHERE o.partner_id = :partnerId AND o.partner_order_id = :partnerOrderId`
)
const selectById = statement<OrderRow, { partnerId: number; orderId: string }>(
  'order_by_id',
  `${SELECT_ORDER} WHERE o.partner_id = :partnerId AND o.id = :orderId`
)

/** The partner's order under its own key, with tickets once confirmed. */
export async function findOrderByKey(partnerId: number, partnerOrderId: string) {
  const row = await selectByKey.first({ partnerId, partnerOrderId })
  return row && toOrder(row)
}

/** The partner's order by our number; undefined when it is somebody else's. */
export async function findOrder(partnerId: number, orderId: string, client?: QueryClientContract) {
  const row = await selectById.first({ partnerId, orderId }, client)
  return row && toOrder(row)
}
