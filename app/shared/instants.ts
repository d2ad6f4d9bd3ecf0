import { DAY_MS, MINUTE_MS, SECOND_MS } from '#shared/days'

/**
 * ISO 8601 in the venue's offset, milliseconds kept when there are any: `2026-12-01T19:00:00+05:00`. The year must have four
 * digits in that offset, as everything has that `readInstant` takes.
 */
export function atOffset(instant: Date, minutes: number): string {
  const local = new Date(instant.getTime() + minutes * MINUTE_MS).toISOString()
  const seconds = local.endsWith('.000Z') ? local.slice(0, 19) : local.slice(0, 23)
  return seconds + offsetText(minutes)
}

function offsetText(minutes: number): string {
  const size = Math.abs(minutes)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`
}

export type Precision = 'day' | 'minute' | 'second' | 'subsecond'

/** How much later than it says a moment of this precision may be. */
export const UNIT_MS: Record<Precision, number> = {
  day: DAY_MS,
  minute: MINUTE_MS,
  second: SECOND_MS,
  subsecond: 1,
}

export interface SentInstant {
  at: Date
  precision: Precision
}

const ISO_INSTANT =
  /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?([Zz]|[+-]\d{2}:?\d{2}|[+-]\d{2})$/

const EARLIEST_MS = Date.UTC(1970)
/** Leaves a year, because later moments have no year of four digits in every offset, and no cell of a workbook. */
const TOO_LATE_MS = Date.UTC(9999)
const isInRange = (at: Date) => at.getTime() >= EARLIEST_MS && at.getTime() < TOO_LATE_MS

/**
 * Reads a moment as a partner sent it and how precisely it was given (ISO 8601, offset required).
 * Null for anything that is not a real moment of the years 1970 to 9998 in UTC, such as 30 February.
 */
export function readInstant(text: string): SentInstant | null {
  const parts = ISO_INSTANT.exec(text)
  if (!parts) return null
  const [, year, month, day, hour, minute, second, fraction, zone] = parts
  const normalized = `${year}-${month}-${day}T${hour}:${minute}:${second ?? '00'}.${(fraction ?? '0').padEnd(3, '0').slice(0, 3)}`
  const wall = new Date(`${normalized}Z`)
  const isReal = !Number.isNaN(wall.getTime()) && wall.toISOString().startsWith(normalized)
  const offset = offsetMinutes(zone)
  if (!isReal || offset === null) return null
  const at = new Date(wall.getTime() - offset * MINUTE_MS)
  if (!isInRange(at)) return null
  const precision = fraction ? 'subsecond' : second ? 'second' : 'minute'
  return { at, precision }
}

function offsetMinutes(zone: string): number | null {
  if (zone === 'Z' || zone === 'z') return 0
  const hours = Number(zone.slice(1, 3))
  const minutes = Number(zone.slice(3).replace(':', '') || 0)
  if (hours > 18 || minutes > 59) return null
  return (zone[0] === '-' ? -1 : 1) * (hours * 60 + minutes)
}
