import { moment, named, OFFSET, t, tenge, type TextKey } from '~/texts/texts'

const LABELS: Record<string, TextKey> = {
  type: 'events.type',
  ageRating: 'events.age_rating',
  maxSeatsPerBooking: 'events.max_seats',
  reason: 'acts.reason',
  partner: 'events.partner',
  asked_by: 'events.asked_by_word',
}
const TIMES: Record<string, TextKey> = {
  startsAt: 'events.starts_at',
  endsAt: 'events.ends_at',
  salesStartAt: 'events.sales_start_at',
}

/** A field of an event by its path, in words. */
export function labelOf(path: string): string {
  const [group, name] = path.split('.')
  if (path === 'title') return t('events.event')
  const language = name && named('language_names', name)
  if (group === 'title') return t('events.title_in', { language })
  if (group === 'description') return t('events.description_in', { language })
  if (group === 'prices') return t('events.price_of', { category: named('categories', name) })
  if (group in TIMES) return t(TIMES[group], { offset: OFFSET })
  return group in LABELS ? t(LABELS[group]) : named('events', path)
}

export function formatValue(path: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return '–'
  if (path.startsWith('prices.') && !Number.isNaN(Number(value))) return tenge(Number(value))
  if (path in TIMES) return moment(String(value))
  if (path === 'type') return named('event_types', String(value))
  if (path === 'status') return named('event_statuses', String(value))
  return String(value)
}
