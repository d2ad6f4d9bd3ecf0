import { PLATFORM_OFFSET_MINUTES } from '#shared/instants'

export const PERIOD_KINDS = ['week', 'half_month', 'month'] as const
export type PeriodKind = (typeof PERIOD_KINDS)[number]

/** Half-open: what happens at `to` belongs to the next one. */
export interface Period {
  from: Date
  to: Date
}

/** Periods begin at midnight of the venues. Their offset is written down with each, because rules of time zones change. */
export const ZONE = { name: 'Asia/Almaty', offsetMinutes: PLATFORM_OFFSET_MINUTES }

const DAY_MS = 86_400_000
const OFFSET_MS = ZONE.offsetMinutes * 60_000

/** The day of the venues in which a moment lies, as a UTC date. */
const localDay = (at: Date) => {
  const local = new Date(at.getTime() + OFFSET_MS)
  return [local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate()] as const
}
const midnight = (year: number, month: number, day: number) =>
  new Date(Date.UTC(year, month, day) - OFFSET_MS)

/** Days at the venues, counted from 1970: the same for any two moments of a day. */
export const dayNumber = (ms: number) => Math.floor((ms + OFFSET_MS) / DAY_MS)

/** Whether a period may begin at this moment. */
export const isMidnight = (at: Date) => (at.getTime() + OFFSET_MS) % DAY_MS === 0

/** The midnight at the venues with which a moment's day begins. */
export const dayStart = (at: Date) => midnight(...localDay(at))

/** The whole period in which a moment lies: weeks begin on Monday, half months on the 1st and the 16th. */
export function periodAround(at: Date, kind: PeriodKind): Period {
  const [year, month, day] = localDay(at)
  if (kind === 'week') {
    const weekday = (new Date(Date.UTC(year, month, day)).getUTCDay() + 6) % 7
    const from = midnight(year, month, day - weekday)
    return { from, to: new Date(from.getTime() + 7 * DAY_MS) }
  }
  if (kind === 'month') return { from: midnight(year, month, 1), to: midnight(year, month + 1, 1) }
  return day < 16
    ? { from: midnight(year, month, 1), to: midnight(year, month, 16) }
    : { from: midnight(year, month, 16), to: midnight(year, month + 1, 1) }
}

/** The period that begins where the last one ended; shorter than usual when the terms have changed the kind of period. */
export const periodFrom = (from: Date, kind: PeriodKind): Period => ({
  from,
  to: periodAround(from, kind).to,
})
