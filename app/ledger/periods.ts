/**
 * Statement periods: calendar weeks, half months or months of the venues (UTC+5), half-open.
 *
 * Example, periodAround(2026-02-15T18:59Z): 23:59 on Sunday, 15 February, at the venues.
 *   week        2026-02-08T19:00Z (Mon 9 Feb, 00:00)  to 2026-02-15T19:00Z (Mon 16 Feb, 00:00)
 *   half_month  2026-01-31T19:00Z (1 Feb, 00:00)      to 2026-02-15T19:00Z (16 Feb, 00:00)
 *   month       2026-01-31T19:00Z (1 Feb, 00:00)      to 2026-02-28T19:00Z (1 Mar, 00:00)
 * One minute later the week and the half month are the next ones.
 * After a week that ended on Mon 16 Feb, a change to months gives 16 Feb to 1 Mar.
 */
import { DAY_MS, localDay, midnightOf, PLATFORM_OFFSET_MINUTES } from '#shared/days'

export const PERIOD_KINDS = ['week', 'half_month', 'month'] as const
export type PeriodKind = (typeof PERIOD_KINDS)[number]

/** Half-open: what happens at `to` belongs to the next period. */
export interface Period {
  from: Date
  to: Date
}

/** Stored with each statement, because the rules of time zones change. */
export const ZONE = { name: 'Asia/Almaty', offsetMinutes: PLATFORM_OFFSET_MINUTES }

/** The whole period that contains a moment: weeks begin on Monday, half months on the 1st and the 16th. */
export function periodAround(at: Date, kind: PeriodKind): Period {
  const today = localDay(at)
  const month = today.slice(0, 7)
  if (kind === 'week') {
    const daysSinceMonday = (new Date(`${today}T00:00Z`).getUTCDay() + 6) % 7
    const from = new Date(midnightOf(today).getTime() - daysSinceMonday * DAY_MS)
    return { from, to: new Date(from.getTime() + 7 * DAY_MS) }
  }
  const first = midnightOf(`${month}-01`)
  const sixteenth = midnightOf(`${month}-16`)
  if (kind === 'half_month' && at < sixteenth) return { from: first, to: sixteenth }
  return { from: kind === 'month' ? first : sixteenth, to: beginningOfNextMonth(month) }
}

/** The period that follows one which ended at `from`; shorter than usual when the terms have changed the kind of period. */
export const periodFrom = (from: Date, kind: PeriodKind): Period => ({
  from,
  to: periodAround(from, kind).to,
})

/** The first day of a month plus 31 days is always in the next month. */
function beginningOfNextMonth(month: string) {
  const withinNext = new Date(midnightOf(`${month}-01`).getTime() + 31 * DAY_MS)
  return midnightOf(`${localDay(withinNext).slice(0, 7)}-01`)
}
