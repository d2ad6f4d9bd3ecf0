import { isAddressRange } from '#shared/addresses'
import type { Budget } from '#shared/budget'
import { refuseField } from '#shared/refusals'

/** What a partner may have its own number for; the defaults are the contract's (completions, Numbers). */
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

/** What the requests of a partner are counted against. */
export const partnerBudget = (id: number, perMinute: number, inFlight: number): Budget => ({
  key: `partner:${id}`,
  perMinute,
  inFlight,
})

/** Confirms and cancels find a quarter of the slots more, which reads and holds can't take: money may hang on them. */
export const withReserve = (budget: Budget): Budget => ({
  ...budget,
  inFlight: Math.ceil((budget.inFlight ?? 0) * 1.25),
})

/** No hold and no payment window is longer, in seconds: the database says so too. */
export const LONGEST_WINDOW_SECONDS = 86_400

const MAX_SETTING = 2_147_483_647
const WINDOWS = ['holdSeconds', 'paymentWindowSeconds']

/** Refuses a limit that is no whole number above zero, a window longer than a day, and an address that could never be met. */
export function assertSettings({ allowedAddresses, ...numbers }: PartnerSettings) {
  for (const [name, value] of Object.entries(numbers)) {
    if (!Number.isInteger(value) || value < 1 || value > MAX_SETTING)
      refuseField(name, 'range', 'must be a whole number above zero')
    if (WINDOWS.includes(name) && value > LONGEST_WINDOW_SECONDS)
      refuseField(name, 'range', `must be a day at most: ${LONGEST_WINDOW_SECONDS} seconds`)
  }
  const wrong = allowedAddresses.findIndex((range) => !isAddressRange(range))
  if (wrong !== -1)
    refuseField(`allowedAddresses.${wrong}`, 'address', 'must be an address or a CIDR range')
}
