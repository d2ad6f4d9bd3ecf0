import RefreshDefects from '#defects/cases/refresh_defects'
import { dataOf } from '#tests/support/answers'
import { lapseOrder } from '#tests/support/circumstances'
import { book, order, type aSale, type TestPartner } from '#tests/support/fixtures'
import { midnight } from '#tests/support/registers'
import { one, rows } from '#tests/support/rows'

/** `CODE order tenge PARTY`: what registers found, in order. */
export async function foundOf({ id }: TestPartner) {
  const found = await rows(
    `SELECT d.code || ' ' || d.order_id || ' ' || d.exposure_tenge || ' ' || d.exposure_party AS told
       FROM settlement_defects d JOIN settlement_cases c ON c.id = d.case_id
      WHERE c.partner_id = ? AND d.gone_at IS NULL AND c.gone_at IS NULL
        AND d.code ~ '^(MISSING_AT|VOID_WITHOUT|REFUND_(WITHOUT|SUM)|EVENT_CANCELLED_REFUND)' ORDER BY 1`,
    id
  )
  return found.map(({ told }) => told as string)
}
export const caseOf = (key: string) =>
  one(
    `SELECT exposure_tenge::int AS tenge, exposure_party AS party FROM settlement_cases WHERE key = ? AND gone_at IS NULL`,
    key
  )

/** `tenge PARTY` of all cases of a partner with money at stake. */
export async function exposuresOf({ id }: TestPartner) {
  const found = await rows(
    `SELECT exposure_tenge || ' ' || exposure_party AS told FROM settlement_cases
      WHERE partner_id = ? AND gone_at IS NULL AND exposure_tenge > 0 ORDER BY key`,
    id
  )
  return found.map(({ told }) => told as string)
}

type Sale = Awaited<ReturnType<typeof aSale>>

/** An order that is waited for. */
export async function placedOf({ client, event }: Sale, seats: string[]) {
  const booking = dataOf(await book(client, event.id, seats))
  const { order_id: orderId } = dataOf(await order(client, booking.booking_id))
  return orderId as string
}

/** An order that ran out unpaid. */
export async function lapsedOf(sale: Sale, ...seats: string[]) {
  const orderId = await placedOf(sale, seats)
  await lapseOrder(orderId)
  return orderId
}

/** Noon of a day at the venues, as files have it. */
export const onDay = (days: number) => {
  const [year, month, day] = new Date(midnight(days).getTime() + 12 * 3_600_000)
    .toISOString()
    .slice(0, 10)
    .split('-')
  return `${day}.${month}.${year} 12:00:00`
}
/** Some minutes after that noon. */
export const later = (noon: string, minutes: number) =>
  noon.replace('12:00:00', `12:${String(minutes).padStart(2, '0')}:00`)
export const daysAgo = (first: number, last: number) => ({
  from: midnight(-first),
  to: midnight(-last),
})
export const judgeDays = ({ id: partnerId }: TestPartner, days: number) =>
  new RefreshDefects().handle({ partnerId, ...daysAgo(days, -1) })
