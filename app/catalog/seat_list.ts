import { CATEGORY_CODES, type CategoryCode } from '#catalog/event_status'
import { findDelimiter } from '#shared/csv_delimiter'
import { parse } from 'csv-parse/sync'

export const SEAT_LIST_COLUMNS = [
  'space_id',
  'sector_id',
  'sector_ru',
  'sector_kk',
  'sector_en',
  'row_id',
  'row_label',
  'seat_label',
  'category_code',
] as const
type Column = (typeof SEAT_LIST_COLUMNS)[number]
export type SeatLine = Record<Column, string> & { category_code: CategoryCode }

/** A problem of the list; `line` is null when it is not about a single line of the file. */
export interface SeatProblem {
  line: number | null
  column: string
  rule: 'csv' | 'columns' | 'empty' | 'identifier' | 'length' | 'required' | 'enum' | 'unique'
  message: string
}

const ID = /^[\w.:-]{1,64}$/
const MAX_LABEL = 32
/** Enough for the lines by which the delimiter is found. */
const CHARACTERS_TO_LOOK_AT = 64 * 1024
export const MAX_LIST_BYTES = 10 * 1024 * 1024

/** Reads a hall's seats from CSV with a header; reports every invalid line, not only the first. */
export function inspectSeatList(csv: string): { seats: SeatLine[]; problems: SeatProblem[] } {
  const problems: SeatProblem[] = []
  const records = parseLines(csv, problems)
  const seen = new Set<string>()
  for (const { record: seat, info } of records) {
    const addProblem = (column: string, rule: SeatProblem['rule'], message: string) =>
      problems.push({ line: info.lines, column, rule, message })
    checkLine(seat, addProblem)
    if (seen.has(seat.space_id))
      addProblem('space_id', 'unique', `${seat.space_id} is listed twice`)
    seen.add(seat.space_id)
  }
  if (records.length === 0 && problems.length === 0)
    problems.push({ line: null, column: 'seats', rule: 'empty', message: 'The list has no seats' })
  return { seats: records.map(({ record }) => record), problems }
}

interface SeatRecord {
  record: SeatLine
  info: { lines: number }
}

function parseLines(csv: string, problems: SeatProblem[]): SeatRecord[] {
  const { delimiter, skip } = findDelimiter(csv.slice(0, CHARACTERS_TO_LOOK_AT))
  try {
    const found = parse(csv, {
      bom: true,
      columns: true,
      skip_empty_lines: true,
      trim: true,
      info: true,
      delimiter,
      from_line: skip > 0 ? 2 : 1,
    }) as unknown as SeatRecord[]
    const missing = SEAT_LIST_COLUMNS.filter((column) => found[0] && !(column in found[0].record))
    if (missing.length === 0) return found
    const message = `The list has no column ${missing.join(', ')}`
    problems.push({ line: 1, column: missing.join(', '), rule: 'columns', message })
  } catch (error) {
    const { message, lines = null } = error as Error & { lines?: number }
    problems.push({ line: lines, column: 'seats', rule: 'csv', message })
  }
  return []
}

function checkLine(
  line: SeatLine,
  addProblem: (column: string, rule: SeatProblem['rule'], message: string) => void
) {
  for (const [column, prefix] of [
    ['space_id', 'seat-'],
    ['sector_id', 'sector-'],
    ['row_id', 'row-'],
  ] as const) {
    const value = line[column] ?? ''
    if (!ID.test(value) || !value.startsWith(prefix)) {
      addProblem(
        column,
        'identifier',
        `must start with ${prefix} and have at most 64 letters, digits and . : _ -`
      )
    }
  }
  for (const column of ['row_label', 'seat_label'] as const) {
    const length = (line[column] ?? '').length
    if (length === 0 || length > MAX_LABEL)
      addProblem(column, 'length', `must have 1 to ${MAX_LABEL} characters`)
  }
  if (!line.sector_ru)
    addProblem('sector_ru', 'required', 'the Russian name of the sector is missing')
  if (!CATEGORY_CODES.includes(line.category_code)) {
    addProblem('category_code', 'enum', `must be one of ${CATEGORY_CODES.join(', ')}`)
  }
}
