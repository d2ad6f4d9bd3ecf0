import type { LocalizedText } from '#shared/localized_text'
import type { ListPage } from '#staff_area/lists'
import type { PartnerChoice } from '#staff_area/partner_choices'

/** The filters in the address of the list; `colleague` is the id of somebody of the staff, or `me`. */
export const JOURNAL_FILTERS = [
  'kind',
  'actor',
  'colleague',
  'name',
  'partner',
  'event',
  'order',
  'request',
  'period',
  'from',
  'to',
  'before',
] as const
export type JournalFilters = Record<(typeof JOURNAL_FILTERS)[number], string | null>

/** An entry of the audit journal. */
export interface JournalEntry {
  id: string
  at: string
  name: string
  actorKind: string
  actor: string
  requestId: string | null
  /** The partner's code. */
  partner: string | null
  partnerName: string | null
  eventId: string | null
  event: LocalizedText | null
  orderId: string | null
  bookingId: string | null
  change: Record<string, unknown>
}

export interface JournalEntries extends ListPage<JournalEntry> {
  /** The time of the last entry that was read, when the search ended before the journal's beginning. */
  lookedBackTo: string | null
  /** How many entries were read. */
  lookedAt: number
}

export interface Colleague {
  id: number
  name: string
  email: string
}

export interface JournalPage {
  filters: JournalFilters
  journal: JournalEntries
  partners: PartnerChoice[]
  colleagues: Colleague[]
  /** The title of the event to which the list is narrowed. */
  event: LocalizedText | null
}
