import CreateEvent from '#catalog/actions/create_event'
import ChangeEventStatus from '#catalog/actions/change_event_status'
import { setSeatPrices } from '#catalog/event_prices'
import type { EventType } from '#catalog/event_status'
import CancelEvent from '#sales/cancel_event/cancel_event'
import type { FullyLocalizedText } from '#shared/localized_text'
import { statement } from '#shared/statement'
import { transaction } from '#shared/transaction'
import { SEEDER } from './seeder.js'

const DAY_MS = 24 * 3600 * 1000
const HOUR_MS = 3600 * 1000

export const PURPOSES = [
  'open',
  'arena',
  'paused',
  'scheduled',
  'closed',
  'cancelled',
  'ungranted',
  'revoked',
] as Purpose[]
export type Purpose =
  'open' | 'arena' | 'paused' | 'scheduled' | 'closed' | 'cancelled' | 'ungranted' | 'revoked'

interface Show {
  title: FullyLocalizedText
  type: EventType
  inDays: number
}

// prettier-ignore
const SHOWS: Record<Purpose, Show> = {
  open:      { title: { ru: 'Вечер камерной музыки',  kk: 'Камералық музыка кеші',   en: 'An evening of chamber music' }, type: 'concert',    inDays: 60 },
  arena:     { title: { ru: 'Большой концерт',        kk: 'Үлкен концерт',           en: 'The big concert' },             type: 'concert',    inDays: 75 },
  paused:    { title: { ru: 'Спектакль «Абай»',       kk: '«Абай» спектаклі',        en: 'Abai, a play' },                type: 'theatre',    inDays: 64 },
  scheduled: { title: { ru: 'Наурыз-фестиваль',       kk: 'Наурыз фестивалі',        en: 'Nauryz festival' },             type: 'festival',   inDays: 120 },
  closed:    { title: { ru: 'Лекция о космосе',       kk: 'Ғарыш туралы дәріс',      en: 'A lecture on space' },          type: 'conference', inDays: 61 },
  cancelled: { title: { ru: 'Отменённый турнир',      kk: 'Болмай қалған турнир',    en: 'A cancelled tournament' },      type: 'sport',      inDays: 62 },
  ungranted: { title: { ru: 'Закрытый показ',         kk: 'Жабық көрсетілім',        en: 'A private screening' },         type: 'other',      inDays: 63 },
  revoked:   { title: { ru: 'Ёлка для детей',         kk: 'Балаларға арналған шырша', en: 'A show for children' },        type: 'kids',       inDays: 65 },
}

const PRICES = { standard: 12_000n, vip: 45_000n, fan: 9_000n, invitation: 5_000n }
/** Free seats without a price, so they can't be sold; neither can the service row. */
const UNPRICED = ['seat-balcony-1-1', 'seat-balcony-1-2', 'seat-balcony-1-3']

const findShow = statement<{ id: string }, { en: string }>(
  'sandbox_find_event',
  `SELECT id FROM events WHERE title->>'en' = :en AND starts_at > now() + interval '1 day' ORDER BY id DESC LIMIT 1`
)

/** Creates the sandbox event of a purpose when there is no future one. */
export async function seedEvent(
  purpose: Purpose,
  halls: { chamber: number; arena: number }
): Promise<string> {
  const known = await findShow.first({ en: SHOWS[purpose].title.en })
  if (known) return known.id
  const eventId = await createShow(purpose, purpose === 'arena' ? halls.arena : halls.chamber)
  await setStatus(purpose, eventId)
  return eventId
}

async function createShow(purpose: Purpose, hallId: number) {
  const { title, type, inDays } = SHOWS[purpose]
  const startsAt = new Date(
    Math.ceil((Date.now() + inDays * DAY_MS) / DAY_MS) * DAY_MS + 14 * HOUR_MS
  )
  const { eventId } = await new CreateEvent().handle({
    hallId,
    title,
    description: { ru: `${title.ru}: мероприятие песочницы` },
    type,
    ageRating: type === 'kids' ? '0+' : '6+',
    startsAt,
    endsAt: new Date(startsAt.getTime() + 3 * HOUR_MS),
    salesStartAt: purpose === 'scheduled' ? new Date(startsAt.getTime() - 30 * DAY_MS) : null,
    maxSeatsPerBooking: 8,
    prices: PRICES,
    actor: SEEDER,
  })
  if (purpose === 'open') await transaction((trx) => setSeatPrices(eventId, UNPRICED, null, trx))
  return eventId
}

async function setStatus(purpose: Purpose, eventId: string) {
  const change = (trigger: 'open' | 'pause' | 'close') =>
    new ChangeEventStatus().handle({ eventId, trigger, reason: null, actor: SEEDER })
  if (purpose === 'scheduled') return
  await change('open')
  if (purpose === 'paused') await change('pause')
  if (purpose === 'closed') await change('close')
  if (purpose === 'cancelled') {
    await new CancelEvent().handle({ eventId, reason: 'Песочница: отменено', actor: SEEDER })
  }
}
