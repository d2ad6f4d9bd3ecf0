import { ifAny } from '~/components/consequences'
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

/** Who hears of a change, when somebody does. */
export const partnersTold = ({ partners, webhooks }: Reach) =>
  ifAny(
    partners,
    t(webhooks > 0 ? 'events.partners_told' : 'events.partners_told_by_feed', {
      partners: number(partners),
      webhooks: number(webhooks),
    })
  )

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
    ...ifAny(valid, t('events.cancel_voids', { tickets: number(valid) })),
    ...ifAny(used, t('events.cancel_used', { tickets: number(used) })),
    ...money,
    ...ifAny(
      reach.pendingOrders,
      t('events.cancel_orders', { orders: number(reach.pendingOrders) })
    ),
    ...ifAny(
      reach.activeBookings,
      t('events.cancel_bookings', { bookings: number(reach.activeBookings) })
    ),
    ...partnersTold(reach),
    t('events.cancel_final'),
  ]
}
