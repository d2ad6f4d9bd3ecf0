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
    ...notifiedPartners(reach),
    t('events.cancel_final'),
  ]
}
