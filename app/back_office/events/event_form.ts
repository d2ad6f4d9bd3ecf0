import { PLATFORM_OFFSET_MINUTES } from '#shared/days'
import type { HallChoice } from '#back_office/events/events_props'
import { messages, reason, rowNumber } from '#staff_area/form_fields'
import { AGE_RATINGS, CATEGORY_CODES, EVENT_TYPES } from '#catalog/event_status'
import type { CategoryPrices } from '#catalog/actions/edit_event'
import { atOffset, readInstant } from '#shared/instants'
import type { LocalizedText } from '#shared/localized_text'
import { refuseField } from '#shared/refusals'
import { statement } from '#shared/statement'
import vine from '@vinejs/vine'

const LONGEST_TITLE = 300
const LONGEST_DESCRIPTION = 20_000
const HIGHEST_PRICE = 1_000_000_000
const MOST_SEATS = 20

const title = () => vine.string().trim().maxLength(LONGEST_TITLE)
const description = () => vine.string().trim().maxLength(LONGEST_DESCRIPTION)
const price = () => vine.number().withoutDecimals().min(0).max(HIGHEST_PRICE).nullable().optional()

const texts = {
  title: vine.object({ ru: title(), kk: title(), en: title() }),
  description: vine.object({
    ru: description(),
    kk: description().nullable().optional(),
    en: description().nullable().optional(),
  }),
  type: vine.enum(EVENT_TYPES).nullable(),
  ageRating: vine.enum(AGE_RATINGS).nullable(),
  maxSeatsPerBooking: vine.number().withoutDecimals().min(1).max(MOST_SEATS),
  prices: vine.object({
    standard: price(),
    vip: price(),
    fan: price(),
    invitation: price(),
    service: price(),
  }),
}
const times = {
  startsAt: vine.string(),
  endsAt: vine.string(),
  salesStartAt: vine.string().nullable(),
}

export const editValidator = vine.create({ ...texts, edition: vine.string() })
export const createValidator = vine.create({ hallId: rowNumber(), ...texts, ...times })
export const timesValidator = vine.create({
  ...times,
  seenStart: vine.string(),
  reason: reason(),
})
editValidator.messagesProvider = messages
createValidator.messagesProvider = messages
timesValidator.messagesProvider = messages

/** Languages that are left empty are omitted. */
export const descriptionOf = ({
  ru,
  kk,
  en,
}: {
  ru: string
  kk?: string | null
  en?: string | null
}): LocalizedText => ({
  ru,
  ...(kk && { kk }),
  ...(en && { en }),
})

export const pricesOf = (prices: Partial<Record<string, number | null>>) =>
  Object.fromEntries(
    CATEGORY_CODES.map((code) => [
      code,
      prices[code] === null || prices[code] === undefined ? null : BigInt(prices[code]),
    ])
  ) as CategoryPrices

interface SentTimes {
  startsAt: string
  endsAt: string
  salesStartAt: string | null
}

/** Reads times as typed, in the venues' time zone: `2026-12-01T19:00`. Refuses impossible ones at their field. */
export function timesOf(sent: SentTimes, seenStart?: Date) {
  const startsAt = localMoment('startsAt', sent.startsAt)
  const endsAt = localMoment('endsAt', sent.endsAt)
  const salesStartAt = sent.salesStartAt ? localMoment('salesStartAt', sent.salesStartAt) : null
  if (startsAt.getTime() !== seenStart?.getTime() && startsAt <= new Date())
    refuseField('startsAt', 'future', 'events.starts_in_past')
  if (endsAt <= startsAt) refuseField('endsAt', 'after', 'events.ends_too_early')
  if (endsAt <= new Date()) refuseField('endsAt', 'future', 'events.ends_in_past')
  if (salesStartAt && salesStartAt >= startsAt)
    refuseField('salesStartAt', 'before', 'events.sales_too_late')
  return { startsAt, endsAt, salesStartAt }
}

const OFFSET = atOffset(new Date(0), PLATFORM_OFFSET_MINUTES).slice(-6)

const localMoment = (field: string, text: string) =>
  readInstant(`${text}${OFFSET}`)?.at ?? refuseField(field, 'date', 'fields.not_a_date')

/** Halls for a new event. */
export const hallChoices = statement<HallChoice>(
  'back_office_hall_choices',
  `SELECT h.id, h.name, v.name AS venue, count(*)::int AS seats,
          array_agg(DISTINCT s.category_code::text) AS categories
     FROM halls h JOIN venues v ON v.id = h.venue_id JOIN hall_seats s ON s.hall_id = h.id
    GROUP BY h.id, v.id ORDER BY h.id DESC`
)
