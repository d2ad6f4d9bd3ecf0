import CreateEvent from '#catalog/actions/create_event'
import {
  AGE_RATINGS,
  CATEGORY_CODES,
  EVENT_TYPES,
  type AgeRating,
  type CategoryCode,
  type EventType,
} from '#catalog/event_status'
import { readInstant } from '#shared/instants'
import { refuseField } from '#shared/refusals'
import { args, flags } from '@adonisjs/core/ace'
import { CoreCommand } from '#console/core_command'

const DEFAULT_LENGTH_MS = 3 * 3600 * 1000

export default class EventCreate extends CoreCommand {
  static commandName = 'event:create'
  static description = 'Create an event in a hall, with prices by category'
  static help = [
    '  {{ binaryName }} event:create 1 --title-ru=Концерт --title-kk=Концерт --title-en=Concert --starts-at=2026-12-31T19:00:00+05:00 --price=standard:12000 --price=vip:45000',
  ]

  @args.string({ description: 'Number of the hall' })
  declare hall: string

  @flags.string({ description: 'Title in Russian', required: true })
  declare titleRu: string
  @flags.string({ description: 'Title in Kazakh', required: true })
  declare titleKk: string
  @flags.string({ description: 'Title in English', required: true })
  declare titleEn: string
  @flags.string({ description: 'Description in Russian; the title by default' })
  declare descriptionRu?: string
  @flags.string({ description: 'ISO 8601 with offset', required: true })
  declare startsAt: string
  @flags.string({ description: 'ISO 8601 with offset; three hours after the start by default' })
  declare endsAt?: string
  @flags.string({ description: 'Time when sales open automatically; without it, staff open them' })
  declare salesStartAt?: string
  @flags.string({ description: EVENT_TYPES.join(', ') })
  declare type?: string
  @flags.string({ description: AGE_RATINGS.join(', ') })
  declare ageRating?: string
  @flags.number({ description: 'Seats per booking, 1 to 20', default: 8 })
  declare maxSeats: number
  @flags.array({ description: 'category:tenge, e.g. vip:45000; may be repeated' })
  declare price?: string[]

  protected async perform() {
    const startsAt = this.#instant('starts-at', this.startsAt)!
    const { eventId } = await new CreateEvent().handle({
      hallId: Number(this.hall),
      title: { ru: this.titleRu, kk: this.titleKk, en: this.titleEn },
      description: { ru: this.descriptionRu ?? this.titleRu },
      type: this.#enumValue('type', this.type, EVENT_TYPES) as EventType | null,
      ageRating: this.#enumValue('age-rating', this.ageRating, AGE_RATINGS) as AgeRating | null,
      startsAt,
      endsAt:
        this.#instant('ends-at', this.endsAt) ?? new Date(startsAt.getTime() + DEFAULT_LENGTH_MS),
      salesStartAt: this.#instant('sales-start-at', this.salesStartAt),
      maxSeatsPerBooking: this.maxSeats,
      prices: Object.fromEntries((this.price ?? []).map(readPrice)),
      actor: this.actor,
    })
    this.logger.success(eventId)
  }

  #instant(flag: string, text?: string): Date | null {
    if (!text) return null
    return readInstant(text)?.at ?? refuseField(flag, 'instant', 'must be ISO 8601 with an offset')
  }

  #enumValue(flag: string, value: string | undefined, allowed: readonly string[]) {
    if (value && !allowed.includes(value))
      refuseField(flag, 'enum', `must be one of ${allowed.join(', ')}`)
    return value ?? null
  }
}

function readPrice(text: string): [CategoryCode, bigint] {
  const [code, tenge] = text.split(':')
  const isGood = CATEGORY_CODES.includes(code as CategoryCode) && /^\d{1,12}$/.test(tenge ?? '')
  if (!isGood) refuseField('price', 'format', `"${text}" is not category:tenge`)
  return [code as CategoryCode, BigInt(tenge)]
}
