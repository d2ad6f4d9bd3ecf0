import type { PrintedTicket } from '#tickets/pdf/printed_ticket'
import { TICKET_STATUS, type TicketStatus } from '#tickets/ticket_status'
import type { FullyLocalizedText, LocalizedText } from '#shared/localized_text'
import { statement } from '#shared/statement'

interface Row {
  number: string
  status: TicketStatus
  title: FullyLocalizedText
  venue_name: LocalizedText
  hall_name: LocalizedText
  sector_name: LocalizedText
  row_label: string
  seat_label: string
  starts_at: Date
  ends_at: Date
  age_rating: string | null
  price_tenge: bigint
  qr_token: string
  order_id: string
}

const selectTicket = statement<Row, { ticketId: string }>(
  'printed_ticket',
  `SELECT t.number, ${TICKET_STATUS} AS status, e.title, v.name AS venue_name, h.name AS hall_name,
          sec.name AS sector_name, r.label AS row_label, s.label AS seat_label, e.starts_at, e.ends_at,
          e.age_rating, t.price_tenge, t.qr_token, t.order_id
     FROM tickets t
     JOIN events e ON e.id = t.event_id JOIN venues v ON v.id = e.venue_id JOIN halls h ON h.id = e.hall_id
     JOIN event_seats s ON s.id = t.event_seat_id
     JOIN sectors sec ON sec.id = s.sector_id JOIN hall_rows r ON r.id = s.row_id
    WHERE t.id = :ticketId`
)

/** A ticket as it is printed, and when its event ends. */
export async function findPrintedTicket(
  ticketId: string
): Promise<{ ticket: PrintedTicket; eventEndsAt: Date } | undefined> {
  const row = await selectTicket.first({ ticketId })
  if (!row) return undefined
  const ticket = {
    number: row.number,
    status: row.status,
    title: row.title,
    venueName: row.venue_name,
    hallName: row.hall_name,
    sectorName: row.sector_name,
    rowLabel: row.row_label,
    seatLabel: row.seat_label,
    startsAt: row.starts_at,
    ageRating: row.age_rating,
    priceTenge: row.price_tenge,
    qrToken: row.status === 'void' ? null : row.qr_token,
    orderId: row.order_id,
  }
  return { ticket, eventEndsAt: row.ends_at }
}
