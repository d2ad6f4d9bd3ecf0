import { DAY_MS, dayNumber, HOUR_MS, MINUTE_MS, PLATFORM_OFFSET_MINUTES } from '#shared/days'

export const RHYTHMS = ['day', 'week', 'month'] as const

/**
 * When a report is due, by the venues' clock (UTC+5).
 *
 * Example: every month on day 31 at 10:00.
 *   now                  last due             next due
 *   2026-11-23 00:00     2026-10-31 10:00     2026-11-30 10:00   November has 30 days
 *   2026-11-30 10:00     2026-11-30 10:00     2026-12-31 10:00
 *   2027-02-01 00:00     2027-01-31 10:00     2027-02-28 10:00
 */
export interface Rhythm {
  every: (typeof RHYTHMS)[number]
  /** Weekday, 1 for Monday; or day of the month, the last day in a shorter month; null for every day. */
  day: number | null
  hour: number
}

const OFFSET_MS = PLATFORM_OFFSET_MINUTES * MINUTE_MS

/** The moment of `hour` on a venues' day, given as UTC midnight of its date. */
const momentOf = (day: Date, { hour }: Rhythm) =>
  new Date(day.getTime() + hour * HOUR_MS - OFFSET_MS)

const dayAround = (at: Date) => new Date(dayNumber(at.getTime()) * DAY_MS)

/** The due day of the day, week or month around `at` (0), of the next one (1) or the one before (-1). */
function dueDay(at: Date, { every, day }: Rhythm, offset: number): Date {
  const around = dayAround(at)
  const [year, month, date] = [around.getUTCFullYear(), around.getUTCMonth(), around.getUTCDate()]
  if (every === 'day') return new Date(Date.UTC(year, month, date + offset))
  if (every === 'week') {
    const weekday = (around.getUTCDay() + 6) % 7
    return new Date(Date.UTC(year, month, date - weekday + day! - 1 + 7 * offset))
  }
  const last = new Date(Date.UTC(year, month + offset + 1, 0)).getUTCDate()
  return new Date(Date.UTC(year, month + offset, Math.min(day!, last)))
}

/** The first due moment after `at`. */
export function nextDue(rhythm: Rhythm, at: Date): Date {
  const here = momentOf(dueDay(at, rhythm, 0), rhythm)
  return here > at ? here : momentOf(dueDay(at, rhythm, 1), rhythm)
}

/** The last due moment that is not after `at`. */
export function lastDue(rhythm: Rhythm, at: Date): Date {
  const here = momentOf(dueDay(at, rhythm, 0), rhythm)
  return here <= at ? here : momentOf(dueDay(at, rhythm, -1), rhythm)
}
