import { MINUTE_MS, PLATFORM_OFFSET_MINUTES } from '#shared/days'
import { dateNumber, momentNumber } from '#spreadsheets/writing/cell_numbers'

/** `30.09.2026 14:05:00` in UTC+5, as the workbook shows it. Refuses what the workbook refuses. */
export function csvMoment(value: unknown) {
  momentNumber(value)
  const wall = wallClock(value as Date)
  return `${dayFirst(wall)} ${wall.slice(11, 19)}`
}

/** `30.09.2026`, of an instant's day in UTC+5 or of a day given as `2026-09-30`. */
export function csvDay(value: unknown) {
  dateNumber(value)
  return dayFirst(typeof value === 'string' ? value : wallClock(value as Date))
}

function wallClock(instant: Date) {
  return new Date(instant.getTime() + PLATFORM_OFFSET_MINUTES * MINUTE_MS).toISOString()
}

function dayFirst(iso: string) {
  return `${iso.slice(8, 10)}.${iso.slice(5, 7)}.${iso.slice(0, 4)}`
}
