import type { AttemptFacts, CaseFacts, OrderFacts } from '#defects/facts/facts'
import type { UnknownOrder } from '#defects/facts/register_facts'

/** The orders of a story; those that we do not have are added as unpaid ones, with the confirms that sent their name. */
export const knownAndUnknownOrders = ({
  orders,
  unknownOrders = [],
  strays,
}: CaseFacts): OrderFacts[] => [...orders, ...unknownOrders.map((one) => asUnpaid(one, strays))]

const asUnpaid = (unknown: UnknownOrder, strays: AttemptFacts[]): OrderFacts => ({
  eventId: '',
  eventCancelledAt: null,
  status: 'expired',
  totalTenge: 0n,
  createdAt: unknown.at,
  windowEndsAt: unknown.at,
  confirmedAt: null,
  payment: null,
  resoldTo: [],
  voids: [],
  refusedRefunds: [],
  attempts: strays.filter(({ orderIdSent }) =>
    (unknown.names ?? [unknown.id]).includes(orderIdSent)
  ),
  ...unknown,
})
