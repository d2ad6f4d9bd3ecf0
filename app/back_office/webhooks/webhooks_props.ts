import type { LocalizedText } from '#shared/localized_text'
import type { ListPage } from '#staff_area/lists'
import type { PartnerChoice } from '#staff_area/partner_choices'
import type { PartnerNews } from '#webhooks/partner_news'

export type EndpointHealth = 'well' | 'untried' | 'failing' | 'disabled'
export type DeliveryStatus = 'pending' | 'retrying' | 'delivered' | 'failed' | 'held'

/** The filters in the address of the list. */
export const DELIVERY_FILTERS = ['partner', 'status', 'news', 'before'] as const
export type DeliveryFilters = Record<(typeof DELIVERY_FILTERS)[number], string | null>

export interface EndpointLine {
  /** The partner's code. */
  partner: string
  partnerName: string
  url: string
  status: 'active' | 'disabled'
  health: EndpointHealth
  disabledCause: string | null
  lastSuccessAt: string | null
  failingSince: string | null
  pausedUntil: string | null
  succeeded: number
  failed: number
  waiting: number
  /** Failed or held, so that they can be sent again. */
  setAside: number
}

export interface DeliveryLine {
  id: string
  webhookId: string
  /** The partner's code. */
  partner: string
  partnerName: string
  /** The journal entry that is delivered; null for a test. */
  news: string | null
  subject: string
  event: LocalizedText | null
  status: DeliveryStatus
  attempts: number
  createdAt: string
  nextAt: string
  lastFailure: string | null
}

export interface WebhooksPage {
  filters: DeliveryFilters
  endpoints: EndpointLine[]
  deliveries: ListPage<DeliveryLine>
  partners: PartnerChoice[]
  /** The journal entries that partners are notified of, to filter by. */
  news: readonly PartnerNews[]
}

export interface DeliveryFacts {
  id: string
  webhookId: string
  /** The partner's code. */
  partner: string
  partnerName: string
  url: string
  subject: string
  status: DeliveryStatus
  /** The journal entry that is delivered; null for a test. */
  name: string | null
  event: LocalizedText | null
  createdAt: string
  nextAt: string
  endedAt: string | null
  attemptsMade: number
  /** The id of an earlier delivery of the same subject, which goes first. */
  waitsFor: string | null
}

export interface DeliveryAttempt {
  attempt: number
  startedAt: string
  durationMs: number
  httpStatus: number | null
  failure: string | null
  response: string | null
}

export interface DeliveryPage {
  delivery: DeliveryFacts
  /** The body of the request; null when it cannot be composed. */
  body: string | null
  attempts: DeliveryAttempt[]
}
