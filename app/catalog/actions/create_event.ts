import { newEventKey } from '#catalog/event_keys'
import type { AgeRating, CategoryCode, EventType } from '#catalog/event_status'
import { setPrices } from '#catalog/event_prices'
import type { Actor } from '#shared/actor'
import { record } from '#shared/journal'
import type { FullyLocalizedText, LocalizedText } from '#shared/localized_text'
import { newId } from '#shared/public_id'
import { refuse, refuseField } from '#shared/refusals'
import { statement } from '#shared/statement'
import { transaction } from '#shared/transaction'

export interface CreateEventInput {
  hallId: number
  title: FullyLocalizedText
  description: LocalizedText
  type: EventType | null
  ageRating: AgeRating | null
  startsAt: Date
  endsAt: Date
  /** Sales open at this time; null leaves the opening to staff. */
  salesStartAt: Date | null
  maxSeatsPerBooking: number
  /** Whole tenge; a category without a price is not for sale. */
  prices: Partial<Record<CategoryCode, bigint | null>>
  actor: Actor
}

const findHall = statement<{ venue_id: string }, { hallId: number }>(
  'hall_venue',
  'SELECT venue_id FROM halls WHERE id = :hallId'
)
const insertEvent = statement<
  object,
  {
    eventId: string
    hallId: number
    venueId: string
    title: unknown
    description: unknown
    type: string | null
    ageRating: string | null
    startsAt: Date
    endsAt: Date
    salesStartAt: Date | null
    maxSeatsPerBooking: number
  }
>(
  'event_insert',
  `INSERT INTO events (id, hall_id, venue_id, title, description, event_type, age_rating,
                       starts_at, ends_at, sales_start_at, max_seats_per_booking)
   VALUES (:eventId, :hallId, :venueId, :title, :description, :type, :ageRating,
           :startsAt, :endsAt, :salesStartAt, :maxSeatsPerBooking)`
)
const insertSeats = statement<object, { eventId: string; hallId: number }>(
  'event_insert_seats',
  `INSERT INTO event_seats (event_id, sector_id, row_id, space_id, label, position, category_code)
   SELECT :eventId, r.sector_id, s.row_id, s.space_id, s.label, s.position, s.category_code
     FROM hall_seats s JOIN hall_rows r ON r.id = s.row_id
    WHERE s.hall_id = :hallId ORDER BY s.position`
)
const insertKey = statement<
  object,
  { kid: string; eventId: string; privateKeyEncrypted: string; publicJwk: unknown }
>(
  'event_insert_key',
  `INSERT INTO event_keys (kid, event_id, private_key_encrypted, public_jwk)
   VALUES (:kid, :eventId, :privateKeyEncrypted, :publicJwk)`
)

/** The schema ceiling of a booking (contract, POST /bookings). */
const MAX_SEATS = 20

/** An event with a seat for every seat of its hall, its prices and its own signing key. */
export default class CreateEvent {
  async handle(input: CreateEventInput): Promise<{ eventId: string }> {
    if (input.endsAt <= input.startsAt)
      refuseField('ends_at', 'after', 'The event must end after it starts')
    const { maxSeatsPerBooking: max } = input
    if (!Number.isInteger(max) || max < 1 || max > MAX_SEATS)
      refuseField('max_seats_per_booking', 'range', `must be a whole number from 1 to ${MAX_SEATS}`)
    const eventId = newId('evt')
    await transaction(async (trx) => {
      const hall = await findHall.first({ hallId: input.hallId }, trx)
      if (!hall) refuse('NO_SUCH', { what: `hall ${input.hallId}` })
      await insertEvent(
        {
          eventId,
          hallId: input.hallId,
          venueId: hall.venue_id,
          title: input.title,
          description: input.description,
          type: input.type,
          ageRating: input.ageRating,
          startsAt: input.startsAt,
          endsAt: input.endsAt,
          salesStartAt: input.salesStartAt,
          maxSeatsPerBooking: input.maxSeatsPerBooking,
        },
        trx
      )
      await insertSeats({ eventId, hallId: input.hallId }, trx)
      const key = newEventKey()
      await insertKey(
        {
          kid: key.kid,
          eventId,
          privateKeyEncrypted: key.privateKeyEncrypted,
          publicJwk: key.publicJwk,
        },
        trx
      )
      await setPrices(eventId, input.prices, trx)
      await record('event_created', { title: input.title.ru }, { actor: input.actor, eventId }, trx)
    })
    return { eventId }
  }
}
