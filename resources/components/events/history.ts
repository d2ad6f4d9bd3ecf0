import type { TimelineEntry } from '#back_office/orders/orders_props'
import { labelOf, formatValue } from '~/components/events/field_words'
import { moment, t, tenge } from '~/texts/texts'

type Change = { from: unknown; to: unknown }

/** A journal entry about an event with labels instead of field names. */
export const inWords = (entry: TimelineEntry): TimelineEntry => ({
  ...entry,
  detail: Object.fromEntries(linesOf(entry)),
})

function linesOf({ name, detail }: TimelineEntry): [string, unknown][] {
  const { changed, from, to, ...others } = detail as { changed?: Record<string, Change> } & Change &
    Record<string, unknown>
  const isStatus = name === 'event_status_changed'
  const prefix = name === 'category_prices_set' ? 'prices.' : ''
  return [
    ...(isStatus ? [arrow('status', { from, to })] : []),
    ...Object.entries(changed ?? {}).flatMap(([path, change]) =>
      arrows(`${prefix}${path}`, change)
    ),
    ...Object.entries(others).map(([path, value]) => describeField(path, value)),
  ]
}

/** Old and new value of a field of an event, by its path; a text gives a line for each changed language. */
export function arrows(path: string, { from, to }: Change): [string, string][] {
  if (path !== 'title' && path !== 'description') return [arrow(path, { from, to })]
  const [was, is] = [from, to] as Record<string, unknown>[]
  return ['ru', 'kk', 'en']
    .filter((code) => was?.[code] !== is?.[code])
    .map((code) => arrow(`${path}.${code}`, { from: was?.[code], to: is?.[code] }))
}

const arrow = (path: string, { from, to }: Change): [string, string] => [
  labelOf(path),
  `${formatValue(path, from)} → ${formatValue(path, to)}`,
]

function describeField(path: string, value: unknown): [string, unknown] {
  if (path === 'price_from_tenge')
    return [t('events.price_from'), value === null ? '–' : tenge(Number(value))]
  if (path === 'lapses_at') return [t('events.lapses_at'), moment(String(value))]
  if (path === 'seats' && Array.isArray(value)) return [t('events.seats'), value.length]
  return [labelOf(path), value]
}
