import type { EventReach, PartnerSales } from '#back_office/events/events_props'
import { ifAny } from '~/components/consequences'
import { sumOf } from '~/components/sum_of'
import { number, t, tenge } from '~/texts/texts'

/** A line about the partners that are notified of a change; none without partners. */
export const notifiedPartners = ({ partners, webhooks }: EventReach) =>
  ifAny(
    partners,
    t(webhooks > 0 ? 'events.partners_notified' : 'events.partners_notified_by_feed', {
      partners: number(partners),
      webhooks: number(webhooks),
    })
  )

/** What a cancellation does, a line each. */
export function cancellationFollows(sales: PartnerSales[], reach: EventReach): string[] {
  const voidable = sumOf(sales, (line) => line.voidable)
  const kept = sumOf(sales, (line) => line.valid + line.used) - voidable
  const money = sales
    .filter(({ voidableTenge }) => voidableTenge > 0)
    .map(({ name, voidableTenge, voidable: tickets }) =>
      t('events.cancel_money', {
        partner: name,
        money: tenge(voidableTenge),
        tickets: number(tickets),
      })
    )
  return [
    ...ifAny(voidable, t('events.cancel_voids', { tickets: number(voidable) })),
    ...ifAny(kept, t('events.cancel_used', { tickets: number(kept) })),
    ...money,
    ...ifAny(
      reach.pendingOrders,
      t('events.cancel_orders', { orders: number(reach.pendingOrders) })
    ),
    ...ifAny(
      reach.activeBookings,
      t('events.cancel_bookings', { bookings: number(reach.activeBookings) })
    ),
    ...notifiedPartners(reach),
    t('events.cancel_final'),
  ]
}
