import type { PrintedText } from '#tickets/pdf/ticket_words'

/** Everything printed on a ticket; no data of the buyer. */
export interface PrintedTicket {
  number: string
  status: 'active' | 'used' | 'void' | 'expired'
  title: PrintedText
  venueName: PrintedText
  hallName: PrintedText
  sectorName: PrintedText
  rowLabel: string
  seatLabel: string
  startsAt: Date
  ageRating: string | null
  priceTenge: bigint
  qrToken: string | null
  orderId: string
}
