import { DAY_MS, MINUTE_MS, PLATFORM_OFFSET_MINUTES } from '#shared/days'
import { moment, t } from '~/texts/texts'

const HOUR = 60
const hours = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => (first + index) * HOUR)

export const isPlainDay = (utcOffsetMinutes: number, dayStartMinutes: number) =>
  utcOffsetMinutes === PLATFORM_OFFSET_MINUTES && dayStartMinutes === 0

/** `UTC+5`, and `UTC+5:30`. */
export function zoneName(utcOffsetMinutes: number) {
  const size = Math.abs(utcOffsetMinutes)
  const rest = size % HOUR === 0 ? '' : `:${String(size % HOUR).padStart(2, '0')}`
  return `UTC${utcOffsetMinutes < 0 ? '−' : '+'}${Math.floor(size / HOUR)}${rest}`
}

/** `03:00`; before midnight `22:00, the evening before`. */
export function dayStartName(dayStartMinutes: number) {
  const minutes = (dayStartMinutes + 24 * HOUR) % (24 * HOUR)
  const parts = [Math.floor(minutes / HOUR), minutes % HOUR]
  const time = parts.map((part) => String(part).padStart(2, '0')).join(':')
  return dayStartMinutes < 0 ? t('registers.evening_before', { time }) : time
}

const withChosen = (all: number[], chosen: number) =>
  [...new Set([...all, chosen])].sort((one, other) => one - other)

export const zoneChoices = (chosen: number) =>
  withChosen(hours(-12, 14), chosen).map((value) => ({ value, label: zoneName(value) }))
export const dayStartChoices = (chosen: number) =>
  withChosen(hours(-12, 12), chosen).map((value) => ({ value, label: dayStartName(value) }))

/** A day of the source by the clock of the venues. */
export function exampleDay(utcOffsetMinutes: number, dayStartMinutes: number) {
  const midnight = Date.UTC(new Date().getFullYear(), 10, 25)
  const begins = midnight + (dayStartMinutes - utcOffsetMinutes) * MINUTE_MS
  const [from, to] = [begins, begins + DAY_MS].map((at) => moment(new Date(at).toISOString()))
  return { from, to }
}
