import type { Reach } from '~/components/events/event_acts.vue'
import type { EditedEvent } from '~/components/events/event_form'
import { number, t, tenge, type LocalizedText } from '~/texts/texts'

/** An event as its page tells of it. */
export interface ShownEvent extends EditedEvent {
  hall: LocalizedText
  venue: LocalizedText
  status: string
  startsAt: string
  endsAt: string
  salesStartAt: string | null
  isOver: boolean
  cancelledAt: string | null
  cancellationReason: string | null
  createdAt: string
}

export interface Sector {
  id: string
  name: LocalizedText
  total: number
  free: number
  held: number
  sold: number
  blocked: number
  priceFromTenge: number | null
}

export interface PartnerSales {
  code: string
  name: string
  access: string
  orders: number
  valid: number
  used: number
  void: number
  soldTenge: number
  validTenge: number
}

export const sumOf = (sales: PartnerSales[], of: (line: PartnerSales) => number) =>
  sales.reduce((sum, line) => sum + of(line), 0)

/** What a cancellation does, a line each. */
export function cancellationFollows(sales: PartnerSales[], reach: Reach): string[] {
  const valid = sumOf(sales, (line) => line.valid)
  const used = sumOf(sales, (line) => line.used)
  const money = sales
    .filter(({ validTenge }) => validTenge > 0)
    .map(({ name, validTenge, valid: tickets }) =>
      t('events.cancel_money', {
        partner: name,
        money: tenge(validTenge),
        tickets: number(tickets),
      })
    )
  return [
    t('events.cancel_voids', { tickets: number(valid) }),
    ...(used > 0 ? [t('events.cancel_used', { tickets: number(used) })] : []),
    ...money,
    t('events.cancel_orders', { orders: number(reach.pendingOrders) }),
    t('events.cancel_bookings', { bookings: number(reach.activeBookings) }),
    t('events.partners_told', {
      partners: number(reach.partners),
      webhooks: number(reach.webhooks),
    }),
    t('events.cancel_final'),
  ]
}
