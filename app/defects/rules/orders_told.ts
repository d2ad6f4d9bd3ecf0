import type { AttemptFacts, CaseFacts, OrderFacts } from '#defects/facts/facts'
import type { UnknownOrder } from '#defects/facts/register_facts'

/** Orders of which there is something to tell, also those that we never had: unpaid, with the confirms that sent their name. */
export const ordersTold = ({ orders, unknown = [], strays }: CaseFacts): OrderFacts[] => [
  ...orders,
  ...unknown.map((one) => asUnpaid(one, strays)),
]

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
  attempts: strays.filter(({ orderIdSent }) => orderIdSent === unknown.id),
  ...unknown,
})
