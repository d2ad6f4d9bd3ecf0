import { PLATFORM_OFFSET_MINUTES } from '#shared/days'

const DAY_MS = 86_400_000
const UNIX_EPOCH_DAY = 25_569
/** 1 March 1900: before it Excel counts a day that never was. */
const FIRST_DAY = 61
const LAST_DAY = 2_958_466
/** A spreadsheet keeps 15 digits; money that loses its end must not leave. */
const MAX_WHOLE = 999_999_999_999_999n
const ISO_DAY = /^\d{4}-\d{2}-\d{2}$/

/** Why a value cannot be written; the place is added by who knows it. */
export class UnwritableValue extends Error {}

/** A whole number of at most 15 digits, as text. */
export function wholeNumber(value: unknown): string {
  const isWhole = typeof value === 'bigint' || Number.isSafeInteger(value)
  if (!isWhole) throw new UnwritableValue(`${describe(value)} is not a whole number`)
  const whole = BigInt(value as bigint | number)
  if (whole > MAX_WHOLE || whole < -MAX_WHOLE) {
    throw new UnwritableValue(`${describe(value)} has more than 15 digits`)
  }
  return String(whole)
}

export function finiteNumber(value: unknown): string {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  throw new UnwritableValue(`${describe(value)} is not a finite number`)
}

/**
 * The day number of an instant on the wall clock of UTC+5, cut to whole seconds: Excel rounds what it shows, and the
 * last instant of a period must not look like the next one's first.
 */
export function momentNumber(value: unknown): string {
  const seconds = Math.floor(wallClockMs(value) / 1_000)
  return dayNumber(seconds * 1_000)
}

/** The day number of an instant's day in UTC+5, or of a day given as `2026-09-30`. */
export function dateNumber(value: unknown): string {
  const wall = typeof value === 'string' ? midnightMs(value) : wallClockMs(value)
  return dayNumber(Math.floor(wall / DAY_MS) * DAY_MS)
}

/** How a value is named in an error: its beginning, never the whole of somebody's data. */
export function describe(value: unknown) {
  return `${value === null ? 'null' : typeof value} ${String(value).slice(0, 40)}`
}

function wallClockMs(value: unknown) {
  const ms = value instanceof Date ? value.getTime() : Number.NaN
  if (Number.isNaN(ms)) throw new UnwritableValue(`${describe(value)} is not an instant`)
  return ms + PLATFORM_OFFSET_MINUTES * 60_000
}

function midnightMs(day: string) {
  const ms = ISO_DAY.test(day) ? Date.parse(day) : Number.NaN
  const isReal = !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(day)
  if (!isReal) throw new UnwritableValue(`${describe(day)} is not a day`)
  return ms
}

function dayNumber(wallMs: number) {
  const day = UNIX_EPOCH_DAY + wallMs / DAY_MS
  if (day >= FIRST_DAY && day < LAST_DAY) return String(day)
  throw new UnwritableValue('a sheet cannot show days before March 1900 or after 9999')
}
