import type { JournalEntryName } from '#shared/journal'

/**
 * Journal entries that partners are notified of by webhook (contract, Events).
 * The partial index `journal_news` names the same ones, so that the relay reads nothing else.
 */
export const PARTNER_NEWS = [
  'booking_expired',
  'event_status_changed',
  'event_rescheduled',
  'event_edited',
  'event_prices_set',
  'event_cancelled',
  'grant_given',
  'grant_revoked',
] as const satisfies readonly JournalEntryName[]

export type PartnerNews = (typeof PARTNER_NEWS)[number]

/** News of an event, which every partner with a grant gets. */
export const EVENT_NEWS = PARTNER_NEWS.filter((name) => name.startsWith('event_'))

/** Literals for `name IN (…)`: with parameters PostgreSQL would not use the partial index. */
export const sqlList = (names: readonly PartnerNews[]) =>
  names.map((name) => `'${name}'`).join(', ')
