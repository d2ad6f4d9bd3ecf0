import CheckPeriod from '#defects/cases/check_period'
import { exposureOf } from '#defects/cases/open_exposure'
import type { ExposureTenge } from '#defects/facts/exposure'
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

/** The parties with money at risk in a case, `{ buyer: 12000, platform: 9000 }`; `{}` when nothing is. */
export async function caseExposureOf(key: string) {
  const { exposure } = await one(
    `SELECT ${exposureOf('c')} AS exposure FROM settlement_cases c WHERE key = ? AND gone_at IS NULL`,
    key
  )
  return withoutZeros(exposure as ExposureTenge)
}

/** Money at risk by case and party, as `tenge PARTY`, in order of the cases' keys. */
export async function exposuresOf({ id }: TestPartner) {
  const found = await rows(
    `SELECT ${exposureOf('c')} AS exposure FROM settlement_cases c
      WHERE partner_id = ? AND gone_at IS NULL ORDER BY key`,
    id
  )
  return found.flatMap(({ exposure }) =>
    Object.entries(withoutZeros(exposure as ExposureTenge)).map(
      ([party, tenge]) => `${tenge} ${party.toUpperCase()}`
    )
  )
}

export const withoutZeros = (exposure: Record<string, number | bigint>): Record<string, number> =>
  Object.fromEntries(
    Object.entries(exposure).flatMap(([party, tenge]) =>
      tenge > 0 ? [[party, Number(tenge)]] : []
    )
  )

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
