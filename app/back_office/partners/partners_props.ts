import type { EndpointHealth } from '#back_office/webhooks/webhooks_props'
import type { LocalizedText } from '#shared/localized_text'

/** The filters in the address of the list. */
export const PARTNER_FILTERS = ['q', 'status'] as const
export type PartnerFilters = Record<(typeof PARTNER_FILTERS)[number], string | null>

export interface PartnerLine {
  code: string
  name: string
  status: 'active' | 'suspended'
  polledAt: string | null
  /** The partner is active, but reads no changes: what it sells may be out of date. */
  isSilent: boolean
  webhook: EndpointHealth | null
}

export type SalesToday = {
  code: string
  orders: number
  paidTenge: number
}

/** Limits of a partner's requests, orders and holds. */
export type PartnerLimits = {
  requestsPerMinute: number
  requestsInFlight: number
  pendingOrders: number
  holdSeconds: number
  paymentWindowSeconds: number
}

export interface PartnersPage {
  filters: PartnerFilters
  /** `isCut`: there are more than the page shows. */
  partners: { rows: PartnerLine[]; isCut: boolean }
  /** Limits of a new partner. */
  defaults: PartnerLimits
  /** By the partner's code; deferred. */
  today?: Record<string, SalesToday>
}

export interface PartnerFacts extends PartnerLimits {
  id: number
  code: string
  name: string
  status: 'active' | 'suspended'
  version: string
  createdAt: string
  polledAt: string | null
  isSilent: boolean
  allowedAddresses: string[]
}

export interface PartnerKey {
  apiKey: string
  createdAt: string
  expiresAt: string | null
  revokedAt: string | null
  state: 'active' | 'ending' | 'expired' | 'revoked'
}

export interface PartnerEndpoint {
  url: string
  status: 'active' | 'disabled'
  health: EndpointHealth
  disabledCause: string | null
  lastSuccessAt: string | null
  failingSince: string | null
}

/** Open business of a partner, which a suspension stops or leaves alone. */
export interface UnderWay {
  orders: number
  lastWindowEndsAt: string | null
  bookings: number
  grants: number
}

export interface PartnerGrant {
  id: string
  title: LocalizedText
  startsAt: string
  access: 'active' | 'revoked'
  status: string
}

/** The partner's orders of today in one status. */
export type PartnerUsage = {
  name: string
  count: number
  totalTenge: number
}

/** How a partner has confirmed in the last seven days. */
export type ConfirmHealth = {
  confirms: number
  /** Only the newest confirms are counted. */
  isCut: boolean
  accepted: number
  /** Median of the seconds from order to confirm; null without confirms. */
  half: number | null
  /** 95th percentile of the same. */
  most: number | null
  /** Accepted in the last seconds of their window. */
  near: number
  late: number
  /** Seconds by which the partner's clock is ahead; null without signed confirms. */
  clockOffset: number | null
  clockSamples: number
  refused: RefusedConfirm[]
}

export type RefusedConfirm = {
  at: string
  orderId: string
  isKnown: boolean
  code: string
  httpStatus: number
  requestId: string
}

type PartnerRefusal = {
  at: string
  operation: string
  status: number
  code: string
  requestId: string
}

/** A partner's requests against its limits now, and recent refusals; lists are null while Redis does not answer. */
export type PartnerTraffic = {
  requests: number
  inFlight: number | null
  refusals: PartnerRefusal[] | null
  addresses: { address: string; at: string }[] | null
}

export interface PartnerPage {
  partner: PartnerFacts
  keys: PartnerKey[]
  endpoint: PartnerEndpoint | null
  underWay: UnderWay
  grants: PartnerGrant[]
  /** A new key with its secret, shown once. */
  issuedKey: { apiKey: string; secret: string } | null
  usage?: PartnerUsage[]
  confirms?: ConfirmHealth
  traffic?: PartnerTraffic
}
