import type { OrderTicket } from '#back_office/orders/orders_props'
import { localized, t, tenge } from '~/texts/texts'

export const seatOf = ({ sector, row, seat }: OrderTicket) =>
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
