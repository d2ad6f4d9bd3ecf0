import { DAY_MS, MINUTE_MS, PLATFORM_OFFSET_MINUTES } from '#shared/days'

/** 1 January 1970 as a serial day number. */
const UNIX_EPOCH_DAY = 25_569
/** 1 March 1900: earlier serial numbers are wrong, because Excel counts 29 February 1900. */
const FIRST_DAY = 61
const LAST_DAY = 2_958_466
/** Excel keeps 15 digits; a larger amount would be rounded. */
const MAX_WHOLE = 999_999_999_999_999n
const ISO_DAY = /^\d{4}-\d{2}-\d{2}$/

/** Why a value cannot be written; the caller adds the place. */
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
 * The serial day number of an instant in UTC+5, cut to whole seconds: Excel would round up, and a period's last instant
 * would look like the next one's first.
 *
 * Example: 2026-11-05T07:00:00.900Z is 12:00:00 in UTC+5, serial number 46331.5.
 */
export function momentNumber(value: unknown): string {
  const seconds = Math.floor(wallClockMs(value) / 1_000)
  return serialNumber(seconds * 1_000)
}

/** The serial number of an instant's day in UTC+5, or of a day given as `2026-09-30`. */
export function dateNumber(value: unknown): string {
  const wall = typeof value === 'string' ? midnightMs(value) : wallClockMs(value)
  return serialNumber(Math.floor(wall / DAY_MS) * DAY_MS)
}

/** A value for an error message: its type and its first 40 characters. */
export function describe(value: unknown) {
  return `${value === null ? 'null' : typeof value} ${String(value).slice(0, 40)}`
}

function wallClockMs(value: unknown) {
  const ms = value instanceof Date ? value.getTime() : Number.NaN
  if (Number.isNaN(ms)) throw new UnwritableValue(`${describe(value)} is not an instant`)
  return ms + PLATFORM_OFFSET_MINUTES * MINUTE_MS
}

function midnightMs(day: string) {
  const ms = ISO_DAY.test(day) ? Date.parse(day) : Number.NaN
  const isReal = !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(day)
  if (!isReal) throw new UnwritableValue(`${describe(day)} is not a day`)
  return ms
}

function serialNumber(wallMs: number) {
  const day = UNIX_EPOCH_DAY + wallMs / DAY_MS
  if (day >= FIRST_DAY && day < LAST_DAY) return String(day)
  throw new UnwritableValue('a sheet cannot show days before March 1900 or after 9999')
}
