export const LIMITS = [
  'requestsPerMinute',
  'requestsInFlight',
  'pendingOrders',
  'holdSeconds',
  'paymentWindowSeconds',
] as const
export type Limit = (typeof LIMITS)[number]
export type Limits = Record<Limit, number>

export interface Partner extends Limits {
  code: string
  name: string
  status: 'active' | 'suspended'
  version: string
  createdAt: string
  polledAt: string | null
  isSilent: boolean
  allowedAddresses: string[]
}

export interface UnderWay {
  orders: number
  lastWindowEndsAt: string | null
  bookings: number
  grants: number
}

export interface PartnerKey {
  apiKey: string
  createdAt: string
  expiresAt: string | null
  revokedAt: string | null
  state: 'active' | 'ending' | 'expired' | 'revoked'
}
