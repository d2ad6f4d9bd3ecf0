import type { DayFigures, DayHour } from '#back_office/overview/overview_props'
import { MIDNIGHT } from '#back_office/partners/midnight'
import { statement } from '#shared/statement'
import { sumNumbers } from '#shared/sums'

interface HourOfDay extends DayHour {
  isToday: boolean
  /** Of the day a week ago: later than it is now. */
  isLater: boolean
}

/** Movements of money that partners' sales make; commission and VAT follow from them. */
const SALES = ['sale', 'refund', 'event_cancel', 'platform_void']

const WEEK = `interval '7 days'`

const selectHours = statement<HourOfDay>(
  'back_office_day_figures',
  `SELECT effective_at >= ${MIDNIGHT} AS "isToday", effective_at < ${MIDNIGHT} AND effective_at > now() - ${WEEK} AS "isLater",
          extract(hour FROM effective_at AT TIME ZONE interval '5 hours')::int AS hour,
          sum(amount_tenge)::float8 AS "netTenge",
          sum(CASE kind WHEN 'sale' THEN tickets ELSE -tickets END)::int AS tickets,
          (coalesce(-sum(amount_tenge) FILTER (WHERE kind <> 'sale'), 0))::float8 AS "returnedTenge",
          (count(*) FILTER (WHERE kind = 'sale'))::int AS orders
     FROM ledger_movements
    WHERE kind IN (${SALES.map((kind) => `'${kind}'`).join(', ')})
      AND (effective_at >= ${MIDNIGHT} AND effective_at <= now()
           OR effective_at >= ${MIDNIGHT} - ${WEEK} AND effective_at < ${MIDNIGHT} - ${WEEK} + interval '1 day')
    GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`
)

const MINUTES = 5

const selectRate = statement<{ orders: number }>(
  'back_office_orders_a_minute',
  `SELECT count(*)::int AS orders FROM ledger_movements
    WHERE kind = 'sale' AND effective_at > now() - interval '${MINUTES} minutes'`
)

const sumUp = (hours: DayHour[]) => ({
  netTenge: sumNumbers(hours, ({ netTenge }) => netTenge),
  tickets: sumNumbers(hours, ({ tickets }) => tickets),
  returnedTenge: sumNumbers(hours, ({ returnedTenge }) => returnedTenge),
})

/** Hours of a day without movements are left out; an hour that lies before and after now is one. */
function byHour(hours: DayHour[]): DayHour[] {
  const grouped = Map.groupBy(hours, ({ hour }) => hour)
  return [...grouped].map(([hour, parts]) => ({
    hour,
    ...sumUp(parts),
    orders: sumNumbers(parts, ({ orders }) => orders),
  }))
}

/**
 * What was sold today, net of all that was given back today, as the ledger has it: the same movements that statements sum up.
 * The day a week ago is compared up to the same time; its hours are all of them.
 */
export async function readDayFigures(): Promise<DayFigures> {
  const [hours, { orders }] = await Promise.all([selectHours({}), selectRate.one({})])
  const today = hours.filter(({ isToday }) => isToday)
  const before = hours.filter(({ isToday }) => !isToday)
  return {
    today: sumUp(today),
    weekBefore: sumUp(before.filter(({ isLater }) => !isLater)),
    ordersPerMinute: orders / MINUTES,
    hours: { today: byHour(today), weekBefore: byHour(before) },
  }
}
