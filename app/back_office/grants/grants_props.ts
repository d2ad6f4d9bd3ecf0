import type { LocalizedText } from '#shared/localized_text'
import type { PartnerChoice } from '#staff_area/partner_choices'

/** The filters in the address of the matrix. */
export const GRANT_FILTERS = ['q', 'status', 'partner'] as const
export type GrantFilters = Record<(typeof GRANT_FILTERS)[number], string | null>

export interface GrantEvent {
  id: string
  title: LocalizedText
  startsAt: string
  status: string
  isOver: boolean
}

export interface GrantPartner {
  id: number
  code: string
  name: string
  status: 'active' | 'suspended'
}

/** A partner's grant on an event. */
export interface Grant {
  partnerId: number
  eventId: string
  access: 'active' | 'revoked'
  changedAt: string
  pendingOrders: number
  lastWindowEndsAt: string | null
  bookings: number
}

export interface GrantsPage {
  filters: GrantFilters
  events: GrantEvent[]
  partners: GrantPartner[]
  /** Cells of the matrix that have or had a grant. */
  cells: Grant[]
  /** There are more events than the matrix shows. */
  areEventsCut: boolean
  arePartnersCut: boolean
  /** Partners for the filter. */
  choices: PartnerChoice[]
}
