import type { Precision } from '#shared/instants'
import { plainText } from '#spreadsheets/cell_text'

/** The parts of a written date and time, before the order of day and month is decided. */
export interface WrittenMoment {
  year: number
  /** Month and day for `ymd`; as written, either way round, for `either`. */
  first: number
  second: number
  order: 'ymd' | 'either'
  hour: number
  minute: number
  seconds: number
  milliseconds: number
  precision: Precision
  /** Null when no zone is written. */
  offsetMinutes: number | null
}

// prettier-ignore
const MONTHS = [
  ['янв', 'jan', 'қаң'], ['фев', 'feb', 'ақп'], ['мар', 'mar', 'нау'], ['апр', 'apr', 'сәу'],
  ['май', 'мая', 'may', 'мам'], ['июн', 'jun', 'мау'], ['июл', 'jul', 'шіл'], ['авг', 'aug', 'там'],
  ['сен', 'sep', 'қыр'], ['окт', 'oct', 'қаз'], ['ноя', 'nov', 'қар'], ['дек', 'dec', 'жел'],
]

const YEAR_FIRST = /^(\d{4})([-./])(\d{1,2})\2(\d{1,2})(?:(?: ?t ?|,? )(.+))?$/
const YEAR_LAST = /^(\d{1,2})([-./])(\d{1,2})\2(\d{4}|\d{2})(?: ?г\.?)?(?:(?:t|,? )(.+))?$/
const NAMED = /^(\d{1,2})[ .-]*(\p{L}{3,})[ .,-]*(\d{4})(?: ?(?:г\.?|ж\.?|жылы))?(?:,? (.+))?$/u
const COMPACT = /^(20\d{2})(\d{2})(\d{2})(?:t?(\d{2})(\d{2})(\d{2}))?(z|[+-]\d{2}:?\d{2})?$/
const TIME =
  /^(?:в )?(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?: ?(am|pm))?(?: ?\(?(z|utc.*?|gmt.*?|мск|msk|[+-]\d.*?)\)?)?$/

/** Null for a text in no known format. Whether the date exists is checked later. */
export function parseMomentText(sent: string): WrittenMoment | null {
  const text = plainText(sent).toLowerCase().replace(/^'/, '')
  const date = parseDate(text)
  if (!date) return null
  const time = parseTime(date.rest)
  return time && { ...date, ...time }
}

function parseDate(text: string) {
  const yearFirst = YEAR_FIRST.exec(text)
  if (yearFirst) return ymd(yearFirst[1], yearFirst[3], yearFirst[4], yearFirst[5])
  const compact = COMPACT.exec(text)
  if (compact) return parseCompact(compact)
  const named = NAMED.exec(text)
  if (named) return parseNamed(named)
  const [, first, , second, year, rest] = YEAR_LAST.exec(text) ?? []
  if (first === undefined) return null
  const numbers = { year: fullYear(year), first: Number(first), second: Number(second) }
  return { ...numbers, order: 'either' as const, rest }
}

const ymd = (year: string, month: number | string, day: string, rest?: string) => ({
  year: Number(year),
  first: Number(month),
  second: Number(day),
  order: 'ymd' as const,
  rest,
})

function parseCompact([, year, month, day, hour, minute, second, zone]: RegExpExecArray) {
  const rest = hour === undefined ? undefined : `${hour}:${minute}:${second}${zone ?? ''}`
  return ymd(year, month, day, rest)
}

function parseNamed([, day, name, year, rest]: RegExpExecArray) {
  const month = MONTHS.findIndex((names) => names.some((start) => name.startsWith(start)))
  return month === -1 ? null : ymd(year, month + 1, day, rest)
}

const fullYear = (year: string) => Number(year.length === 2 ? `20${year}` : year)

type WrittenTime = Pick<
  WrittenMoment,
  'hour' | 'minute' | 'seconds' | 'milliseconds' | 'precision' | 'offsetMinutes'
>

const MIDNIGHT: WrittenTime = {
  hour: 0,
  minute: 0,
  seconds: 0,
  milliseconds: 0,
  precision: 'day',
  offsetMinutes: null,
}

function parseTime(text: string | undefined): WrittenTime | null {
  if (text === undefined) return MIDNIGHT
  const [found, hour, minute, second, fraction, half, zone] = TIME.exec(text) ?? []
  const offsetMinutes = zone === undefined ? null : parseZone(zone)
  if (found === undefined || offsetMinutes === undefined) return null
  return {
    hour: half ? (Number(hour) % 12) + (half === 'pm' ? 12 : 0) : Number(hour),
    minute: Number(minute),
    seconds: Number(second ?? 0),
    milliseconds: Number((fraction ?? '').padEnd(3, '0').slice(0, 3)),
    precision: fraction ? 'subsecond' : second ? 'second' : 'minute',
    offsetMinutes,
  }
}

const MOSCOW_MINUTES = 180

/** Minutes from UTC; undefined for an unknown zone: better no moment than a wrong one. */
function parseZone(zone: string): number | undefined {
  if (zone === 'мск' || zone === 'msk') return MOSCOW_MINUTES
  if (/^(z|utc|gmt)$/.test(zone)) return 0
  const [, sign, hours, minutes] = /^(?:utc|gmt)? ?([+-])(\d{1,2})(?::?(\d{2}))?$/.exec(zone) ?? []
  if (sign === undefined || Number(hours) > 14) return undefined
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes ?? 0))
}
