import type { AttemptFacts, CaseFacts, OrderFacts } from '#defects/facts/facts'
import type { UnknownOrder } from '#defects/facts/register_facts'

/** The orders of a story; those that we do not have are added as unpaid ones, with the confirms that sent their name. */
export const knownAndUnknownOrders = ({
  orders,
  unknownOrders = [],
  confirmsOfUnknownOrders,
}: CaseFacts): OrderFacts[] => [
  ...orders,
  ...unknownOrders.map((one) => asUnpaid(one, confirmsOfUnknownOrders)),
]

const asUnpaid = (unknown: UnknownOrder, confirmsOfUnknownOrders: AttemptFacts[]): OrderFacts => ({
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
  attempts: confirmsOfUnknownOrders.filter(({ orderIdSent }) =>
    (unknown.names ?? [unknown.id]).includes(orderIdSent)
  ),
  ...unknown,
})
