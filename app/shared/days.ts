/**
 * Calendar days of the venues, which are all in UTC+5 (contract, Conventions).
 *
 * Example: 2026-11-30T20:30Z is 01:30 on 1 December at the venues.
 *   localDay      2026-12-01
 *   dayStart      2026-11-30T19:00Z, which is midnightOf('2026-12-01')
 *   periodOfDays  [2026-11-30T19:00Z, 2026-12-02T19:00Z) for 1 and 2 December
 *   dayNumber     20788, the same from 2026-11-30T19:00Z until just before 2026-12-01T19:00Z
 */

export const SECOND_MS = 1_000
export const MINUTE_MS = 60 * SECOND_MS
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS
/** 365 days, for what is shown of the last year. */
export const YEAR_MS = 365 * DAY_MS

/** The venues' offset from UTC; used where no venue is at hand. */
export const PLATFORM_OFFSET_MINUTES = 300

const OFFSET_MS = PLATFORM_OFFSET_MINUTES * MINUTE_MS

/** The venues' calendar day of a moment: `2026-12-01`. */
export const localDay = (at: Date) => new Date(at.getTime() + OFFSET_MS).toISOString().slice(0, 10)

/** The venues' time of a moment: `01:30:00`. */
export const localTime = (at: Date) =>
  new Date(at.getTime() + OFFSET_MS).toISOString().slice(11, 19)

/** A moment by the venues' clock with its offset, to the second: `2026-12-01T01:30:00+05:00`. */
export const localMoment = (at: Date) => `${localDay(at)}T${localTime(at)}+05:00`

/** The moment at which a venues' day (`2026-12-01`) begins; an Invalid Date for any other text. */
export const midnightOf = (day: string) => new Date(`${day}T00:00:00+05:00`)

const DAY = /^\d{4}-\d\d-\d\d$/

/** The beginning of a day as somebody typed it; null without a day, or for a text that is no day. */
export function readDay(day: string | null): Date | null {
  if (!day || !DAY.test(day)) return null
  const at = midnightOf(day)
  return Number.isNaN(at.getTime()) ? null : at
}

/** The moments [from, to) of a first and a last day, both included. */
export const periodOfDays = ({ from, to }: { from: string; to: string }) => ({
  from: midnightOf(from),
  to: new Date(midnightOf(to).getTime() + DAY_MS),
})

/** Days since 1970 at the venues: equal for any two moments (epoch milliseconds) of one day. */
export const dayNumber = (ms: number) => Math.floor((ms + OFFSET_MS) / DAY_MS)

/** The moment at which the venues' day of `at` began. */
export const dayStart = (at: Date) => new Date(dayNumber(at.getTime()) * DAY_MS - OFFSET_MS)

/** Whether a venues' day begins at this very millisecond. */
export const isMidnight = (at: Date) => dayStart(at).getTime() === at.getTime()
