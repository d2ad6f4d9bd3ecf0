import type { PartnerLimits } from '#back_office/partners/partners_props'

/** The names of a partner's limits, in the order of the form. */
export const LIMITS = [
  'requestsPerMinute',
  'requestsInFlight',
  'pendingOrders',
  'holdSeconds',
  'paymentWindowSeconds',
] as const satisfies (keyof PartnerLimits)[]
