import { CATEGORY_CODES, type CategoryCode } from '#catalog/event_status'
import { refuse, type FieldProblem } from '#shared/refusals'
import { parse } from 'csv-parse/sync'

export const SEAT_LIST_COLUMNS = [
  ...['space_id', 'sector_id', 'sector_ru', 'sector_kk', 'sector_en'],
  ...['row_id', 'row_label', 'seat_label', 'category_code'],
] as const
type Column = (typeof SEAT_LIST_COLUMNS)[number]
export type SeatLine = Record<Column, string> & { category_code: CategoryCode }

const ID = /^[\w.:-]{1,64}$/
const MAX_LABEL = 32
const MAX_PROBLEMS = 50

/** Reads a hall's seats from CSV with a header; every wrong line is named, not only the first. */
export function readSeatList(csv: string): SeatLine[] {
  const lines = parseLines(csv)
  const problems: FieldProblem[] = []
  const seen = new Set<string>()
  lines.forEach((line, index) => {
    const at = (field: string, rule: string, message: string) =>
      problems.push({ field: `line ${index + 2}: ${field}`, rule, message })
    checkLine(line, at)
    if (seen.has(line.space_id))
      at('space_id', 'unique', `${line.space_id} stands in the list twice`)
    seen.add(line.space_id)
  })
  if (lines.length === 0)
    problems.push({ field: 'seats', rule: 'empty', message: 'The list has no seats' })
  if (problems.length > 0) refuse('INVALID_PARAMETERS', { fields: problems.slice(0, MAX_PROBLEMS) })
  return lines
}

function parseLines(csv: string): SeatLine[] {
  try {
    return parse<SeatLine>(csv, { bom: true, columns: true, skip_empty_lines: true, trim: true })
  } catch (error) {
    const message = (error as Error).message
    return refuse('INVALID_PARAMETERS', { fields: [{ field: 'seats', rule: 'csv', message }] })
  }
}

function checkLine(line: SeatLine, at: (field: string, rule: string, message: string) => void) {
  for (const [column, prefix] of [
    ['space_id', 'seat-'],
    ['sector_id', 'sector-'],
    ['row_id', 'row-'],
  ] as const) {
    const value = line[column] ?? ''
    if (!ID.test(value) || !value.startsWith(prefix)) {
      at(
        column,
        'identifier',
        `must start with ${prefix} and have at most 64 letters, digits and . : _ -`
      )
    }
  }
  for (const column of ['row_label', 'seat_label'] as const) {
    const length = (line[column] ?? '').length
    if (length === 0 || length > MAX_LABEL)
      at(column, 'length', `must have 1 to ${MAX_LABEL} characters`)
  }
  if (!line.sector_ru) at('sector_ru', 'required', 'the Russian name of the sector is missing')
  if (!CATEGORY_CODES.includes(line.category_code)) {
    at('category_code', 'enum', `must be one of ${CATEGORY_CODES.join(', ')}`)
  }
}
