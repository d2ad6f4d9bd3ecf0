import CheckPeriod from '#defects/cases/check_period'
import { dataOf } from '#tests/support/answers'
import { lapseOrder } from '#tests/support/circumstances'
import { book, order, type aSale, type TestPartner } from '#tests/support/fixtures'
import { midnight } from '#tests/support/registers'
import { one, rows } from '#tests/support/rows'

/** Defects that registers give evidence of, as `CODE order tenge PARTY`, in order. */
export async function defectsOf({ id }: TestPartner) {
  const found = await rows(
    `SELECT d.code || ' ' || d.order_id || ' ' || d.exposure_tenge || ' ' || d.exposure_party AS defect
       FROM settlement_defects d JOIN settlement_cases c ON c.id = d.case_id
      WHERE c.partner_id = ? AND d.gone_at IS NULL AND c.gone_at IS NULL
        AND d.code ~ '^(MISSING_AT|VOID_WITHOUT|REFUND_(WITHOUT|SUM)|EVENT_CANCELLED_REFUND)' ORDER BY 1`,
    id
  )
  return found.map(({ defect }) => defect as string)
}
/** Whose money is at risk in the case of an order, and how much. */
export const caseExposureOf = (key: string) =>
  one(
    `SELECT exposure_tenge::int AS tenge, exposure_party AS party FROM settlement_cases WHERE key = ? AND gone_at IS NULL`,
    key
  )

/** Every case of a partner with money at risk, as `tenge PARTY`. */
export async function exposuresOf({ id }: TestPartner) {
  const found = await rows(
    `SELECT exposure_tenge || ' ' || exposure_party AS exposure FROM settlement_cases
      WHERE partner_id = ? AND gone_at IS NULL AND exposure_tenge > 0 ORDER BY key`,
    id
  )
  return found.map(({ exposure }) => exposure as string)
}

type Sale = Awaited<ReturnType<typeof aSale>>

/** An order whose payment is pending. */
export async function pendingOrderOf({ client, event }: Sale, seats: string[]) {
  const booking = dataOf(await book(client, event.id, seats))
  const { order_id: orderId } = dataOf(await order(client, booking.booking_id))
  return orderId as string
}

/** An order that expired unpaid. */
export async function expiredOrderOf(sale: Sale, ...seats: string[]) {
  const orderId = await pendingOrderOf(sale, seats)
  await lapseOrder(orderId)
  return orderId
}

/** Noon at the venues, `days` from today, as registers write it. */
export const noonOn = (days: number) => {
  const [year, month, day] = new Date(midnight(days).getTime() + 12 * 3_600_000)
    .toISOString()
    .slice(0, 10)
    .split('-')
  return `${day}.${month}.${year} 12:00:00`
}
/** Some minutes after such a noon. */
export const minutesAfter = (noon: string, minutes: number) =>
  noon.replace('12:00:00', `12:${String(minutes).padStart(2, '0')}:00`)
/** From the midnight `first` days ago to the midnight `last` days ago. */
export const daysAgo = (first: number, last: number) => ({
  from: midnight(-first),
  to: midnight(-last),
})
/** Searches the last days for defects, today included. */
export const refreshLastDays = ({ id: partnerId }: TestPartner, days: number) =>
  new CheckPeriod().handle({ partnerId, ...daysAgo(days, -1) })
