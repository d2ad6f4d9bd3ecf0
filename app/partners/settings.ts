import { isAddressRange } from '#shared/addresses'
import type { Budget } from '#shared/budget'
import { refuseField } from '#shared/refusals'

/** Limits that differ per partner; the defaults are the contract's (completions, Numbers). */
export interface PartnerSettings {
  requestsPerMinute: number
  requestsInFlight: number
  pendingOrders: number
  holdSeconds: number
  paymentWindowSeconds: number
  allowedAddresses: string[]
}

export const DEFAULT_SETTINGS: PartnerSettings = {
  requestsPerMinute: 100,
  requestsInFlight: 20,
  pendingOrders: 50,
  holdSeconds: 180,
  paymentWindowSeconds: 300,
  allowedAddresses: [],
}

/** The budget of a partner's signed requests. */
export const partnerBudget = (id: number, perMinute: number, inFlight: number): Budget => ({
  key: `partner:${id}`,
  perMinute,
  inFlight,
})

/** Confirms and cancels get a quarter more slots, which reads and holds can't take: the buyer may have been charged. */
export const withReserve = (budget: Budget): Budget => ({
  ...budget,
  inFlight: Math.ceil((budget.inFlight ?? 0) * 1.25),
})

/** The longest hold and payment window; a constraint of the table has the same number. */
export const LONGEST_WINDOW_SECONDS = 86_400

const MAX_SETTING = 2_147_483_647
const WINDOWS = ['holdSeconds', 'paymentWindowSeconds']

/** Refuses limits that are not positive integers, windows longer than a day, and what is no address or CIDR range. */
export function assertSettings({ allowedAddresses, ...numbers }: PartnerSettings) {
  for (const [name, value] of Object.entries(numbers)) {
    if (!Number.isInteger(value) || value < 1 || value > MAX_SETTING)
      refuseField(name, 'range', 'must be a whole number above zero')
    if (WINDOWS.includes(name) && value > LONGEST_WINDOW_SECONDS)
      refuseField(name, 'range', `must be a day at most: ${LONGEST_WINDOW_SECONDS} seconds`)
  }
  const invalid = allowedAddresses.findIndex((range) => !isAddressRange(range))
  if (invalid !== -1)
    refuseField(`allowedAddresses.${invalid}`, 'address', 'must be an address or a CIDR range')
}
