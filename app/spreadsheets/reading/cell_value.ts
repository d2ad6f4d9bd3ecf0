import { DAY_MS } from '#shared/days'
import { unescaped } from '#spreadsheets/reading/strings'
import type { RawCell } from '#spreadsheets/table_source'
import { UnreadableTable } from '#spreadsheets/unreadable_table'

/** A cell as its XML states it. */
export interface WrittenCell {
  type: string
  style: number
  /** The text of `<v>`; undefined without one. */
  value: string | undefined
  /** The text within the cell itself; undefined without one. */
  inline: string | undefined
  hasFormula: boolean
}

export interface CellContext {
  sharedStrings: readonly string[]
  dateStyles: readonly boolean[]
  countsFrom1904: boolean
}

/** Day 25,569 of a sheet is 1 January 1970. */
const UNIX_EPOCH_DAY = 25_569
const DAYS_TO_1904 = 1_462
/** 31 December 9999: the last day that a sheet can show. */
const LAST_DAY = 2_958_466

/** The value of a cell; for a formula its stored result, for an error such as `#N/A` its text. */
export function valueOf(cell: WrittenCell, context: CellContext): RawCell {
  if (cell.hasFormula && !hasResult(cell)) throw new UnreadableTable('formula_without_result')
  if (cell.inline !== undefined && cell.type === 'inlineStr') return cell.inline || null
  const { value } = cell
  if (value === undefined || value === '') return null
  switch (cell.type) {
    case 's':
      return sharedString(value, context)
    case 'str':
      return unescaped(value)
    case 'inlineStr':
    case 'e':
      return value
    case 'b':
      return value === '1' || value === 'true'
    case 'd':
      return wallClock(value)
    default:
      return numberOrDate(value, cell.style, context)
  }
}

/** An empty text is a result too, and only of a formula that gives text. */
function hasResult({ type, value, inline }: WrittenCell) {
  if (type === 'str') return value !== undefined
  return (value !== undefined && value !== '') || inline !== undefined
}

function sharedString(index: string, { sharedStrings }: CellContext) {
  const string = /^\d+$/.test(index.trim()) ? sharedStrings[Number(index)] : undefined
  if (string === undefined) throw new UnreadableTable('broken_xml')
  return string === '' ? null : string
}

function wallClock(iso: string) {
  const bare = iso.trim().replace(/(Z|[+-]\d\d:?\d\d)$/i, '')
  const date = new Date(bare.includes('T') ? `${bare}Z` : bare)
  if (Number.isNaN(date.getTime())) throw new UnreadableTable('broken_xml')
  return date
}

function numberOrDate(text: string, style: number, context: CellContext) {
  const number = /^\s*[-+]?[\d.]/.test(text) ? Number(text) : Number.NaN
  if (!Number.isFinite(number)) throw new UnreadableTable('broken_xml')
  if (!context.dateStyles[style]) return number
  return dateOf(number, context.countsFrom1904) ?? number
}

/**
 * The date of a serial day number; null outside the days that Excel can show.
 *
 * Example: 46331.5 is 5 November 2026, 12:00; in a file that counts from 1904 the same day is 44869.5.
 */
export function dateOf(serial: number, countsFrom1904: boolean) {
  const day = countsFrom1904 ? serial + DAYS_TO_1904 : serial
  if (day < 0 || day >= LAST_DAY) return null
  // Excel counts 29 February 1900, which did not exist, so earlier days are one too low.
  const real = !countsFrom1904 && day < 60 ? day + 1 : day
  return new Date(Math.round((real - UNIX_EPOCH_DAY) * DAY_MS))
}
