import type { CategoryPrice, EventFacts } from '#back_office/events/events_props'
import type { AgeRating, CategoryCode } from '#catalog/event_status'

/** Values of the form by the path that the server uses for fields and errors; number inputs may store numbers. */
export type Fields = Record<string, string>

export const CATEGORIES: readonly CategoryCode[] = [
  'standard',
  'vip',
  'fan',
  'invitation',
  'service',
]
export const AGE_RATINGS: readonly AgeRating[] = ['0+', '6+', '12+', '16+', '18+', '21+']

export const emptyFields = (): Fields => ({
  'title.ru': '',
  'title.kk': '',
  'title.en': '',
  'description.ru': '',
  'description.kk': '',
  'description.en': '',
  'type': '',
  'ageRating': '',
  'maxSeatsPerBooking': '8',
  ...Object.fromEntries(CATEGORIES.map((code) => [`prices.${code}`, ''])),
})

export function fieldsOf(event: EventFacts, prices: CategoryPrice[]): Fields {
  const { title, description, type, ageRating, maxSeatsPerBooking } = event
  return {
    ...emptyFields(),
    'title.ru': title.ru,
    'title.kk': title.kk ?? '',
    'title.en': title.en ?? '',
    'description.ru': description.ru,
    'description.kk': description.kk ?? '',
    'description.en': description.en ?? '',

    'type': type ?? '',
    'ageRating': ageRating ?? '',
    'maxSeatsPerBooking': `${maxSeatsPerBooking}`,
    ...Object.fromEntries(
      prices.map(({ category, priceTenge }) => [`prices.${category}`, `${priceTenge ?? ''}`])
    ),
  }
}

const numberOf = (value: string) => (value === '' ? null : Number(value))

/** What the server takes. */
export function sent(fields: Fields) {
  const group = (name: string) =>
    Object.fromEntries(
      Object.entries(fields)
        .filter(([path]) => path.startsWith(`${name}.`))
        .map(([path, value]) => [path.slice(name.length + 1), value])
    )
  const prices = Object.entries(group('prices')).map(([code, value]) => [code, numberOf(value)])
  return {
    title: group('title'),
    description: group('description'),
    type: fields.type || null,
    ageRating: fields.ageRating || null,
    maxSeatsPerBooking: numberOf(fields.maxSeatsPerBooking),
    prices: Object.fromEntries(prices) as Record<string, number | null>,
  }
}

export interface Difference {
  path: string
  was: string
  now: string
  /** The value in this form, when it differs from both. */
  mine: string | undefined
}

export const isSame = (one: string, other: string) => String(one) === String(other)

/** What somebody else has changed since the form was made. */
export const differencesOf = (base: Fields, fresh: Fields, typed: Fields): Difference[] =>
  Object.keys(base)
    .filter((path) => !isSame(base[path], fresh[path]))
    .map((path) => {
      const isMine = !isSame(typed[path], base[path]) && !isSame(typed[path], fresh[path])
      return { path, was: base[path], now: fresh[path], mine: isMine ? typed[path] : undefined }
    })
