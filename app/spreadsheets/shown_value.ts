import type { CellAs, CellKind, CellValue, FormulaCell } from '#spreadsheets/sheet_spec'
import type { RawCell } from '#spreadsheets/table_source'
import { dateNumber, momentNumber } from '#spreadsheets/writing/cell_numbers'
import { safeText } from '#spreadsheets/writing/cell_text'
import { dateOf } from '#spreadsheets/reading/cell_value'

/** The value that a reader of the file finds in a cell of this kind: guarded text, moments cut to seconds. */
export function shownValue(value: CellValue, kind: Exclude<CellKind, 'formula'>): RawCell {
  if (value === null || value === undefined) return null
  switch (kind) {
    case 'text':
    case 'id':
      return safeText(String(value)) || null
    case 'moment':
      return dateOf(Number(momentNumber(value)), false)
    case 'date':
      return dateOf(Number(dateNumber(value)), false)
    case 'flag':
      return value === true ? 1 : 0
    default:
      return Number(value)
  }
}

/** The same for a cell that states its own kind; the result of a formula. */
export function shownCell(cell: CellAs | null): RawCell {
  if (cell === null) return null
  const { as, value } = cell
  if (isFormula(value)) {
    const { result } = value
    return typeof result === 'bigint' ? Number(result) : result
  }
  return as === 'formula' ? null : shownValue(value, as)
}

const isFormula = (value: CellAs['value']): value is FormulaCell =>
  typeof value === 'object' && value !== null && 'formula' in value

/** Normalizes a cell from a file that another program may have saved: moments are rounded to seconds. */
export function readValue(cell: RawCell | undefined): RawCell {
  if (cell === undefined || cell === '') return null
  if (!(cell instanceof Date)) return cell
  return new Date(Math.round(cell.getTime() / 1_000) * 1_000)
}
