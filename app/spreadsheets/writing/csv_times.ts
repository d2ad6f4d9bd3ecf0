import { localDay, localMoment } from '#shared/days'
import { dateNumber, momentNumber } from '#spreadsheets/writing/cell_numbers'

/** `2026-09-30T14:05:00+05:00`. Refuses what the workbook refuses. */
export function csvMoment(value: unknown) {
  momentNumber(value)
  return localMoment(value as Date)
}

/** `2026-09-30`, of an instant's day in UTC+5 or of a day given as such. */
export function csvDay(value: unknown) {
  dateNumber(value)
  return typeof value === 'string' ? value : localDay(value as Date)
}
