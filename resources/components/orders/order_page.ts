import { localized, t, tenge, type LocalizedText } from '~/texts/texts'

export interface Order {
  id: string
  partner: string
  partnerName: string
  partnerOrderId: string
  partnerBookingId: string
  bookingId: string
  event: LocalizedText
  eventId: string
  eventStartsAt: string
  status: string
  customer: { email?: string; name?: string; phone?: string } | null
  totalTenge: number
  bookedAt: string
  createdAt: string
  windowEndsAt: string
  confirmedAt: string | null
  paymentTenge: number | null
  paidAt: string | null
  paymentId: string | null
  paymentMethod: string | null
}

export interface Ticket {
  id: string | null
  number: string | null
  priceTenge: number | null
  sector: LocalizedText
  row: string | null
  seat: string
  spaceId: string
  status: string | null
  usedAt: string | null
  voidCause: string | null
  voidReason: string | null
  pdfUrl: string | null
}

export const seatOf = ({ sector, row, seat }: Ticket) =>
  [localized(sector), row && t('orders.row', { row }), t('orders.seat', { seat })]
    .filter(Boolean)
    .join(', ')

/** Why tickets become void: the partner gives the money back, or the platform takes the tickets away. */
export type Cause = 'refund' | 'platform'

/** What voiding tickets does, a line each. */
export const voidingFollows = (voiding: {
  tickets: number
  tenge: number
  cause: Cause
  partner: string
  returnsSeats: boolean
}) => {
  const { tickets, cause, partner, returnsSeats } = voiding
  const money = tenge(voiding.tenge)
  return [
    t('orders.refund_voids', { tickets }),
    cause === 'refund'
      ? t('orders.refund_money', { money, partner })
      : t('orders.platform_money', { money }),
    t(returnsSeats ? 'orders.refund_returns' : 'orders.refund_keeps'),
    t('orders.refund_final'),
  ]
}
