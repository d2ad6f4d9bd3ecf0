import { aPartner, aSale, book, grant, order, uniqueKey } from '#tests/support/fixtures'
import type { TestPartner } from '#tests/support/fixtures'
import type { Answer, PartnerClient } from '#tests/support/partner_client'
import { outcomeOf, together } from './crowd.js'

/** Another partner that may sell the event. */
export async function aRival(event: { id: string }, settings: Parameters<typeof aPartner>[0] = {}) {
  const partner = await aPartner(settings)
  await grant(partner, event)
  return partner
}

/** Partners that may sell the event. */
export const rivals = (
  event: { id: string },
  times: number,
  settings: Parameters<typeof aPartner>[0] = {}
): Promise<TestPartner[]> => together(times, () => aRival(event, settings))

export interface Placed {
  order_id: string
  booking_id: string
  total_tenge: number
  expires_at: string
  seats: { space_id: string }[]
}

/** A pending order for the seats; throws when it could not be placed. */
export async function placeOrder(
  client: PartnerClient,
  eventId: string,
  seats: string[]
): Promise<Placed> {
  const booking = done(await book(client, eventId, seats))
  return done(await order(client, booking.booking_id))
}

function done(answer: Answer) {
  if (answer.error) throw new Error(`Answered ${outcomeOf(answer)}`)
  return answer.data
}

/** One pending order for each of the seats. */
export const placeOrders = (client: PartnerClient, eventId: string, seats: string[]) =>
  Promise.all(seats.map((seat) => placeOrder(client, eventId, [seat])))

export const orderBody = (bookingId: string, more: object = {}) => ({
  booking_id: bookingId,
  partner_order_id: uniqueKey('o'),
  customer: { email: 'buyer@example.kz' },
  consent: true,
  ...more,
})

export const SMALL_HALL_SEATS = [1, 2, 3, 4, 5].flatMap((row) =>
  [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((seat) => `seat-${row}-${seat}`)
)

export { aSale }
