import { DAY_MS, MINUTE_MS, PLATFORM_OFFSET_MINUTES } from '#shared/days'
import { type Precision } from '#shared/instants'
import { parseMomentText, type WrittenMoment } from '#spreadsheets/moment_text'
import { cellText, plainText } from '#spreadsheets/cell_text'
import type { RawCell } from '#spreadsheets/read_table'
import { read, unread, type ValueReading } from '#spreadsheets/value_reading'

/**
 * Reads moments. A single cell may be ambiguous, so the whole column decides whether the day or the month is first.
 *
 * Example: a column with `03/04/2026 10:00` and `04/30/2026 10:00`.
 *   30 is no month, so the month is first; the first cell is 4 March 2026, 10:00 in UTC+5, which is 05:00Z.
 */

export type MomentProblem =
  'MOMENT_UNREADABLE' | 'MOMENT_NOT_REAL' | 'MOMENT_OUT_OF_RANGE' | 'MOMENT_AMBIGUOUS'

/** How a column writes its moments. */
export interface MomentStyle {
  isDayFirst: boolean
  /** `seen`: nearly all cells that show an order agree; `assumed`: none shows one; `mixed`: cells contradict each other. */
  basis: 'seen' | 'assumed' | 'mixed'
  /** The finest unit among date cells, which do not store their precision. */
  cellPrecision: Precision
}

export interface CellMoment {
  at: Date
  precision: Precision
}

const DAY_S = 86_400
const FIRST_MS = Date.UTC(2000, 0, 1)
const LAST_MS = Date.UTC(2100, 0, 1)
/** Excel counts days from here to 1970-01-01. */
const SERIAL_OF_1970 = 25_569
const SERIALS = { from: 36_526, to: 73_051 }
const ORDER: readonly Precision[] = ['day', 'minute', 'second', 'subsecond']

const DEFAULT_STYLE: MomentStyle = { isDayFirst: true, basis: 'assumed', cellPrecision: 'day' }

/** So many cells outweigh one that contradicts them: it is a typing error. */
const OUTWEIGHS = 10

/**
 * Decides the order of day and month by all cells of a column; day first by default. A cell shows an order where the other one is no
 * date, or is none of the days that the file is of.
 *
 * Example: twenty cells such as `13.10.2026`, and `05.13.2026`.
 *   The day is first, and 05.13 is no day. With three such cells instead of twenty the column is mixed.
 *   In a file of October, `03.10.2026` has the day first, too.
 */
export class MomentStyles {
  #dayFirst = 0
  #monthFirst = 0
  #cellPrecision: Precision = 'day'

  constructor(private readonly days: { from: Date; to: Date } | null = null) {}

  add(cell: RawCell | undefined) {
    const wall = wallOf(cell)
    if (wall !== null) this.#cellPrecision = finer(this.#cellPrecision, precisionOf(wall))
    const written = typeof cell === 'string' ? parseMomentText(cell) : null
    if (written?.order !== 'either') return
    const { year, first, second } = written
    const [isDayFirst, isMonthFirst] =
      first > 12 || second > 12
        ? [second <= 12, first <= 12]
        : [this.#isOfDays(year, second, first), this.#isOfDays(year, first, second)]
    if (isDayFirst && !isMonthFirst) this.#dayFirst++
    if (isMonthFirst && !isDayFirst) this.#monthFirst++
  }

  /** A day on either side belongs to them: clocks differ. */
  #isOfDays(year: number, month: number, day: number) {
    if (this.days === null) return false
    const at = Date.UTC(year, month - 1, day)
    const { from, to } = this.days
    return at >= from.getTime() - DAY_MS && at < to.getTime() + DAY_MS
  }

  style(): MomentStyle {
    return {
      isDayFirst: this.#dayFirst >= this.#monthFirst,
      basis: this.#basis(),
      cellPrecision: this.#cellPrecision,
    }
  }

  #basis(): MomentStyle['basis'] {
    const most = Math.max(this.#dayFirst, this.#monthFirst)
    const least = Math.min(this.#dayFirst, this.#monthFirst)
    if (most === 0) return 'assumed'
    return most >= least * OUTWEIGHS ? 'seen' : 'mixed'
  }
}

/**
 * The instant of a cell: text with or without a zone (`utcOffsetMinutes` without), a date cell, Excel's serial number, or Unix seconds or
 * milliseconds. The caller handles blank cells.
 */
export function readMoment(
  cell: RawCell | undefined,
  style = DEFAULT_STYLE,
  utcOffsetMinutes = PLATFORM_OFFSET_MINUTES
): ValueReading<CellMoment, MomentProblem> {
  const number = numberOf(cell)
  const unix = number === null ? null : unixMoment(number)
  if (unix) return read(unix)
  const wall = wallOf(cell)
  if (wall !== null)
    return inRange(wall, finer(style.cellPrecision, precisionOf(wall)), cell, utcOffsetMinutes)
  const written = number === null || isCompact(number) ? parseMomentText(cellText(cell)) : null
  return written
    ? fromWritten(written, style, cell, utcOffsetMinutes)
    : unread('MOMENT_UNREADABLE', cellText(cell))
}

const isCompact = (number: number) => /^20\d{6}(\d{6})?$/.test(String(number))

function numberOf(cell: RawCell | undefined): number | null {
  if (typeof cell === 'number') return cell
  if (typeof cell !== 'string') return null
  const text = plainText(cell).replace(/^'/, '')
  return /^\d{5}([.,]\d+)?$|^\d{8,14}$/.test(text) ? Number(text.replace(',', '.')) : null
}

/** Local time of a date cell or serial number, as if it were UTC. */
function wallOf(cell: RawCell | undefined): number | null {
  if (cell instanceof Date) return Number.isNaN(cell.getTime()) ? null : roundedMs(cell.getTime())
  const serial = numberOf(cell)
  if (serial === null || serial < SERIALS.from || serial >= SERIALS.to) return null
  return Math.round((serial - SERIAL_OF_1970) * DAY_S) * 1000
}

/** Excel keeps days as binary fractions: a moment may be a few milliseconds off its second. */
function roundedMs(ms: number) {
  const second = Math.round(ms / 1000) * 1000
  return Math.abs(ms - second) <= 5 ? second : ms
}

function precisionOf(wall: number): Precision {
  if (wall % 1000 !== 0) return 'subsecond'
  if (wall % MINUTE_MS !== 0) return 'second'
  return wall % (DAY_S * 1000) === 0 ? 'day' : 'minute'
}

const finer = (one: Precision, other: Precision) =>
  ORDER.indexOf(one) > ORDER.indexOf(other) ? one : other

function unixMoment(number: number): CellMoment | null {
  const ms = number < FIRST_MS ? number * 1000 : number
  if (ms < FIRST_MS || ms >= LAST_MS || isCompact(number)) return null
  return { at: new Date(ms), precision: ms % 1000 === 0 ? 'second' : 'subsecond' }
}

function inRange(wall: number, precision: Precision, cell: RawCell | undefined, offset: number) {
  const ms = wall - offset * MINUTE_MS
  if (ms < FIRST_MS || ms >= LAST_MS) return unread('MOMENT_OUT_OF_RANGE', cellText(cell))
  return read({ at: new Date(ms), precision })
}

function fromWritten(
  written: WrittenMoment,
  style: MomentStyle,
  cell: RawCell | undefined,
  utcOffsetMinutes: number
) {
  const month = monthOf(written, style)
  if (month === null) return unread('MOMENT_AMBIGUOUS', cellText(cell))
  const day = written.first + written.second - month
  const { year, hour, minute, seconds, milliseconds } = written
  const wall = new Date(Date.UTC(year, month - 1, day, hour, minute, seconds, milliseconds))
  const kept = [wall.getUTCMonth() + 1, wall.getUTCDate(), wall.getUTCHours()]
  const isReal =
    minute < 60 && seconds < 60 && [month, day, hour].every((part, i) => part === kept[i])
  if (!isReal) return unread('MOMENT_NOT_REAL', cellText(cell))
  return inRange(wall.getTime(), written.precision, cell, written.offsetMinutes ?? utcOffsetMinutes)
}

/** Null when the column writes both ways and this cell could be either. */
function monthOf({ order, first, second }: WrittenMoment, style: MomentStyle): number | null {
  if (order === 'ymd') return first
  if (style.basis !== 'mixed') return style.isDayFirst ? second : first
  if (first > 12) return second
  if (second > 12 || first === second) return first
  return null
}
