import { EVENT_EDITION } from '#catalog/event_edition'
import { setPrices } from '#catalog/event_prices'
import type { AgeRating, CategoryCode, EventType } from '#catalog/event_status'
import { CATEGORY_CODES } from '#catalog/event_status'
import { closeSaleGate } from '#catalog/sale_gate'
import type { Actor } from '#shared/actor'
import { differences, record } from '#shared/journal'
import type { FullyLocalizedText, LocalizedText } from '#shared/localized_text'
import { refuse } from '#shared/refusals'
import { statement } from '#shared/statement'
import { transaction } from '#shared/transaction'

export type CategoryPrices = Record<CategoryCode, bigint | null>

interface EventTexts {
  title: FullyLocalizedText
  description: LocalizedText
  type: EventType | null
  ageRating: AgeRating | null
  maxSeatsPerBooking: number
}

export interface EditEventInput extends EventTexts {
  eventId: string
  /** `EVENT_EDITION` when the form was opened; another one refuses STALE. */
  edition: string
  prices: CategoryPrices
  actor: Actor
}

type Locked = EventTexts & {
  edition: string
  isCancelled: boolean
  prices: Record<CategoryCode, string | null>
}

const lockEvent = statement<Locked, { eventId: string }>(
  'event_lock_edition',
  `SELECT e.title, e.description, e.event_type AS type, e.age_rating AS "ageRating",
          e.max_seats_per_booking AS "maxSeatsPerBooking", e.stored_status = 'cancelled' AS "isCancelled",
          (SELECT jsonb_object_agg(category_code, price_tenge::text) FROM event_prices WHERE event_id = e.id) AS prices,
          ${EVENT_EDITION} AS edition
     FROM events e WHERE e.id = :eventId FOR NO KEY UPDATE OF e`
)
const storeTexts = statement<object, EventTexts & { eventId: string }>(
  'event_store_texts',
  `UPDATE events SET title = :title, description = :description, event_type = :type, age_rating = :ageRating,
          max_seats_per_booking = :maxSeatsPerBooking, updated_at = clock_timestamp()
    WHERE id = :eventId`
)

/** Changes an event's texts, seat limit and prices; bookings that exist keep their prices (contract, POST /bookings). */
export default class EditEvent {
  async handle({ eventId, edition, prices, actor, ...input }: EditEventInput) {
    const { title, description, type, ageRating, maxSeatsPerBooking } = input
    await transaction(async (trx) => {
      await closeSaleGate(eventId, trx)
      const was = await lockEvent.first({ eventId }, trx)
      if (!was) refuse('EVENT_NOT_FOUND')
      if (was.isCancelled) refuse('EVENT_IS_OVER')
      if (was.edition !== edition) refuse('STALE')

      const texts = { title, description, type, ageRating, maxSeatsPerBooking }
      const changed = differences(was, texts)
      if (Object.keys(changed).length > 0) {
        await storeTexts({ eventId, ...texts }, trx)
        await record('event_edited', { changed }, { actor, eventId }, trx)
      }
      const repriced = differences(was.prices, asTexts(prices))
      if (Object.keys(repriced).length === 0) return
      await record('category_prices_set', { changed: repriced }, { actor, eventId }, trx)
      const lowest = await setPrices(eventId, prices, trx)
      if (!lowest) return
      const priceFrom = lowest.price_from_tenge?.toString() ?? null
      await record('event_prices_set', { price_from_tenge: priceFrom }, { actor, eventId }, trx)
    })
  }
}

const asTexts = (prices: CategoryPrices) =>
  Object.fromEntries(CATEGORY_CODES.map((code) => [code, prices[code]?.toString() ?? null]))
