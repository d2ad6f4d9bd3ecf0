import { meaningOfHeader, normaliseHeader } from '#register_reading/header_words'
import { cellText, isBlank } from '#spreadsheets/cell_text'
import type { RawCell, RawRow } from '#spreadsheets/read_table'
import { readAmount } from '#register_reading/read_amount'
import { readMoment } from '#spreadsheets/read_moment'

/**
 * Finds the row that names the columns: each of the first rows is scored, the highest score wins.
 * Score: 2 per known field, +1 for a known column of no field, +1 when values follow below, −2 per value in the row itself.
 *
 * Example:
 *   1 | Реестр за сентябрь 2026                     no header: one text
 *   2 | Период:  | 01.09.2026       | 30.09.2026    no header: mostly values
 *   3 | № заказа | Дата оплаты      | Сумма, тг     3 × 2 + 1 = 7: the header
 *   4 | P-101    | 30.09.2026 14:05 | 10 000        no header: mostly values
 */

export interface FoundHeader {
  /** The line of the header in the file. */
  line: number
  /** Text of each column's header, empty where there is none. */
  headers: string[]
  /** Texts above it: titles, the period, the parties. */
  titles: string[]
}

/** 1C writes up to eleven title rows above a header. */
const MAX_ROWS_ABOVE = 30
const MIN_KNOWN_FIELDS = 2

/** The header among the first rows of a file; null when there is none. */
export function findHeader(rows: readonly RawRow[]): FoundHeader | null {
  let best: { index: number; score: number } | null = null
  for (const [index, row] of rows.slice(0, MAX_ROWS_ABOVE).entries()) {
    const score = scoreOf(row, rows[index + 1])
    if (score !== null && (best === null || score > best.score)) best = { index, score }
  }
  return best && foundAt(rows, best.index)
}

/** Null for a row that is no header: it has mostly values, or too few known fields. */
function scoreOf(row: RawRow, next: RawRow | undefined): number | null {
  const filled = row.cells.filter((cell) => !isBlank(cell))
  const distinct = new Set(filled.map((cell) => normaliseHeader(cellText(cell))))
  const values = filled.filter(isValue).length
  if (distinct.size < 2 || values * 3 > filled.length) return null
  const fields = knownFields(row.cells)
  if (fields < MIN_KNOWN_FIELDS) return null
  const valuesBelow = next?.cells.some(isValue) ? 1 : 0
  return fields * 2 + valuesBelow - values * 2
}

const knownFields = (cells: readonly RawCell[]) => {
  const meanings = cells.map((cell) => meaningOfHeader(cellText(cell))?.field)
  const fields = new Set(meanings.filter((field) => field !== undefined && field !== 'other'))
  return fields.size + (meanings.includes('other') ? 0.5 : 0)
}

/** Whether the cell is an amount or a moment. */
const isValue = (cell: RawCell) => readAmount(cell).isRead || readMoment(cell).isRead

function foundAt(rows: readonly RawRow[], index: number): FoundHeader {
  const { line, cells } = rows[index]
  const above = rows[index - 1]?.cells ?? []
  const headers = cells.map((cell, column) =>
    isBlank(cell) && isUnder(above, column) ? cellText(above[column]) : cellText(cell)
  )
  const titles = rows.slice(0, index).flatMap((row) => [...new Set(row.cells.map(cellText))])
  return { line, headers, titles: titles.filter((text) => text !== '') }
}

/** The text of a header merged over two rows is in the upper one. */
const isUnder = (above: readonly RawCell[], column: number) =>
  meaningOfHeader(cellText(above[column])) !== null
