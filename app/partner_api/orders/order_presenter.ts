import { presentSeats } from '#partner_api/bookings/booking_presenter'
import { isConfirmed } from '#sales/order_status'
import type { Order, OrderTicket, StoredPayment } from '#sales/queries/find_order'
import { atOffset } from '#shared/instants'
import { checkCodeOf } from '#tickets/check_code'
import { ticketPdfUrl } from '#tickets/ticket_link'

/** An Order without tickets, as POST /orders returns it (contract, POST /orders). */
export function presentOrder(order: Order) {
  const at = (instant: Date) => atOffset(instant, order.offsetMinutes)
  return {
    order_id: order.id,
    partner_order_id: order.partnerOrderId,
    booking_id: order.bookingId,
    event_id: order.eventId,
    status: order.status,
    customer: order.customer,
    seats: presentSeats(order.seats),
    total_tenge: Number(order.totalTenge),
    currency: 'KZT',
    created_at: at(order.createdAt),
    expires_at: isConfirmed(order.status) ? null : at(order.windowEndsAt),
    payment_info: order.payment && presentPayment(order.payment, at),
  }
}

/** An Order with tickets once it is confirmed; before, the key is absent. */
export function presentOrderWithTickets(order: Order) {
  if (!isConfirmed(order.status)) return presentOrder(order)
  return { ...presentOrder(order), tickets: order.tickets.map(presentTicket) }
}

const presentPayment = (payment: StoredPayment, at: (instant: Date) => string) => ({
  amount_tenge: Number(payment.amountTenge),
  paid_at: at(payment.paidAt),
  external_payment_id: payment.externalPaymentId,
  currency: payment.currency,
  method: payment.method,
})

const presentTicket = (ticket: OrderTicket) => ({
  ticket_id: ticket.id,
  number: ticket.number,
  check_code: ticket.status === 'void' ? null : checkCodeOf(ticket.qrToken),
  status: ticket.status,
  space_id: ticket.spaceId,
  sector_id: ticket.sectorId,
  row_label: ticket.rowLabel,
  seat_label: ticket.seatLabel,
  price_tenge: Number(ticket.priceTenge),
  qr_token: ticket.status === 'void' ? null : ticket.qrToken,
  pdf_url: ticketPdfUrl(ticket.id),
})
