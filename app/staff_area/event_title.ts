import type { LocalizedText } from '#shared/localized_text'
import { statement } from '#shared/statement'

/** Of the event that a list is narrowed to. */
export const titleOfEvent = statement<{ title: LocalizedText }, { event: string }>(
  'back_office_event_title',
  'SELECT title FROM events WHERE id = :event'
)
