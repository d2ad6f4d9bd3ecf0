import { dataOf } from '#tests/support/answers'
import ChangeEventStatus from '#catalog/actions/change_event_status'
import CreateEvent, { type CreateEventInput } from '#catalog/actions/create_event'
import ImportHall from '#catalog/actions/import_hall'
import type { CategoryCode } from '#catalog/event_status'
import ChangeGrant from '#partners/actions/change_grant'
import CreatePartner from '#partners/actions/create_partner'
import type { PartnerSettings } from '#partners/settings'
import IssueKey from '#partners/actions/issue_key'
import { one } from '#tests/support/rows'
import { PartnerClient } from '#tests/support/partner_client'
import { randomBytes, randomUUID } from 'node:crypto'

export const TESTER = { kind: 'console', name: 'tests', requestId: null } as const
/** Somebody whose day of settlement has nothing in it yet: what one person does in a day adds up. */
export const aPerson = () =>
  ({ kind: 'console', name: `person ${randomUUID()}`, requestId: null }) as const
const HOUR_MS = 3600 * 1000

export const PRICES = { standard: 12_000n, vip: 45_000n, fan: 9_000n, invitation: 5_000n }

/** 60 seats: sector-a (rows 1-3: vip, standard, standard) and sector-b (fan, invitation, service; service has no price). */
export function smallHall() {
  const unique = randomBytes(4).toString('hex')
  const rows: (readonly [sector: string, category: CategoryCode])[] = [
    ['a', 'vip'],
    ['a', 'standard'],
    ['a', 'standard'],

    ['b', 'fan'],
    ['b', 'invitation'],
    ['b', 'service'],
  ]
  const lines = [
    'space_id,sector_id,sector_ru,sector_kk,sector_en,row_id,row_label,seat_label,category_code',
  ]
  const circles: string[] = []
  rows.forEach(([sector, category], index) => {
    for (let seat = 1; seat <= 10; seat++) {
      const id = `seat-${index + 1}-${seat}`
      const row = `row-${sector}-${index + 1}`
      lines.push(
        [id, `sector-${sector}`, `Сектор ${sector}`, '', '', row, index + 1, seat, category].join(
          ','
        )
      )
      circles.push(`<circle id="${id}" cx="${seat * 10}" cy="${index * 10}" r="4"/>`)
    }
  })
  const planSvg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 80"><title>${unique}</title>${circles.join('')}</svg>`
  return { planSvg, seatsCsv: lines.join('\n') }
}

/** Of each database that the process has worked with, one hall. */
const halls = new Map<string, Promise<{ hallId: number; venueId: string; seats: number }>>()
const importHall = () =>
  new ImportHall().handle({
    venue: { name: { ru: 'Площадка' } },
    name: { ru: 'Зал' },
    ...smallHall(),
    actor: TESTER,
  })
async function hall() {
  const { name } = await one('SELECT current_database() AS name')
  const imported = halls.get(name) ?? importHall()
  halls.set(name, imported)
  return imported
}

export interface EventOptions extends Partial<Omit<CreateEventInput, 'actor' | 'hallId'>> {
  status?: 'sales_scheduled' | 'sales_open' | 'sales_paused' | 'sales_closed'
  hallId?: number
}

/** An event in a month, on sale by default; `seat-1-1` … `seat-6-10`. */
export async function anEvent({ status = 'sales_open', hallId, ...options }: EventOptions = {}) {
  const startsAt = options.startsAt ?? new Date(Date.now() + 30 * 24 * HOUR_MS)
  const shared = await hall()
  const { eventId } = await new CreateEvent().handle({
    hallId: hallId ?? shared.hallId,
    title: { ru: 'Концерт', kk: 'Концерт', en: 'Concert' },
    description: { ru: 'Описание' },
    type: 'concert',
    ageRating: '12+',
    startsAt,
    endsAt: new Date(startsAt.getTime() + 3 * HOUR_MS),
    salesStartAt: null,
    maxSeatsPerBooking: 8,
    prices: PRICES,
    actor: TESTER,
    ...options,
  })
  const change = (trigger: 'open' | 'pause' | 'close') =>
    new ChangeEventStatus().handle({ eventId, trigger, reason: null, actor: TESTER })
  if (status !== 'sales_scheduled') await change('open')
  if (status === 'sales_paused') await change('pause')
  if (status === 'sales_closed') await change('close')
  return { id: eventId }
}

/** Room enough that no test meets a limit by accident. */
const ROOMY: Partial<PartnerSettings> = {
  requestsPerMinute: 1_000_000,
  requestsInFlight: 1_000,
  // Far above what may be in flight: otherwise each order waits for its turn.
  pendingOrders: 10_000,
}

export interface TestPartner {
  id: number
  code: string
  client: PartnerClient
}

/** A partner with a key and a client that signs with it. */
export async function aPartner(settings: Partial<PartnerSettings> = {}): Promise<TestPartner> {
  const code = `t-${randomBytes(6).toString('hex')}`
  const { partnerId } = await new CreatePartner().handle({
    code,
    name: code,
    settings: { ...ROOMY, ...settings },
    actor: TESTER,
  })
  const pair = await new IssueKey().handle({ partnerCode: code, actor: TESTER })
  return { id: partnerId, code, client: new PartnerClient(pair) }
}

export const grant = (
  partner: TestPartner,
  event: { id: string },
  access: 'active' | 'revoked' = 'active'
) =>
  new ChangeGrant().handle({
    partnerCode: partner.code,
    eventId: event.id,
    access,
    reason: null,
    actor: TESTER,
  })

/** A partner that may sell an event: the usual beginning. */
export async function aSale(
  options: { settings?: Partial<PartnerSettings>; event?: EventOptions } = {}
) {
  const [partner, event] = await Promise.all([aPartner(options.settings), anEvent(options.event)])
  await grant(partner, event)
  return { partner, event, client: partner.client }
}

export const uniqueKey = (name = 'key') => `${name}-${randomUUID()}`

export async function book(
  client: PartnerClient,
  eventId: string,
  seats: string[],
  more: object = {}
) {
  return client.post('/bookings', {
    event_id: eventId,
    partner_booking_id: uniqueKey('b'),
    seats,
    ...more,
  })
}

export async function order(client: PartnerClient, bookingId: string, more: object = {}) {
  const customer = { email: 'buyer@example.kz' }
  return client.post('/orders', {
    booking_id: bookingId,
    partner_order_id: uniqueKey('o'),
    customer,
    consent: true,
    ...more,
  })
}

export const paymentOf = (totalTenge: number, more: object = {}) => ({
  payment_info: {
    amount_tenge: totalTenge,
    // PostgreSQL's clock is finer: in the same millisecond the order may have been made later.
    paid_at: new Date(Date.now() + 1).toISOString(),
    external_payment_id: uniqueKey('pay'),
    currency: 'KZT',
    ...more,
  },
})

/** A paid order with its tickets. */
export async function sell(client: PartnerClient, eventId: string, seats: string[]) {
  const booking = dataOf(await book(client, eventId, seats))
  const placed = dataOf(await order(client, booking.booking_id))
  const paid = await client.post(
    `/orders/${placed.order_id}/confirm`,
    paymentOf(placed.total_tenge)
  )
  return paid.data
}
