import { DAY_MS, dayNumber, HOUR_MS, MINUTE_MS, PLATFORM_OFFSET_MINUTES } from '#shared/days'

export const RHYTHMS = ['day', 'week', 'month'] as const

/** When a report is due, by the venues' clock. */
export interface Rhythm {
  every: (typeof RHYTHMS)[number]
  /** Of the week, 1 is Monday; of the month, where one that is shorter ends with its last day. Null for every day. */
  day: number | null
  hour: number
}

const OFFSET_MS = PLATFORM_OFFSET_MINUTES * MINUTE_MS

/** The moment of `hour` on a day of the venues, which is given as its UTC date. */
const momentOf = (day: Date, { hour }: Rhythm) =>
  new Date(day.getTime() + hour * HOUR_MS - OFFSET_MS)

const dayAround = (at: Date) => new Date(dayNumber(at.getTime()) * DAY_MS)

/** The nth due day counted from the one around `at`: of this day, week or month for 0, of the one before for -1. */
function dueDay(at: Date, { every, day }: Rhythm, nth: number): Date {
  const around = dayAround(at)
  const [year, month, date] = [around.getUTCFullYear(), around.getUTCMonth(), around.getUTCDate()]
  if (every === 'day') return new Date(Date.UTC(year, month, date + nth))
  if (every === 'week') {
    const weekday = (around.getUTCDay() + 6) % 7
    return new Date(Date.UTC(year, month, date - weekday + day! - 1 + 7 * nth))
  }
  const last = new Date(Date.UTC(year, month + nth + 1, 0)).getUTCDate()
  return new Date(Date.UTC(year, month + nth, Math.min(day!, last)))
}

/** The first due moment after `at`. */
export function nextDue(rhythm: Rhythm, at: Date): Date {
  const here = momentOf(dueDay(at, rhythm, 0), rhythm)
  return here > at ? here : momentOf(dueDay(at, rhythm, 1), rhythm)
}

/** The last due moment that is not after `at`: of those that nobody was there for, the one that counts. */
export function lastDue(rhythm: Rhythm, at: Date): Date {
  const here = momentOf(dueDay(at, rhythm, 0), rhythm)
  return here <= at ? here : momentOf(dueDay(at, rhythm, -1), rhythm)
}
