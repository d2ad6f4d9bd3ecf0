import { meaningOfHeader, normaliseHeader } from '#reconciliation/reading/header_words'
import { cellText, isBlank, type RawCell, type RawRow } from '#reconciliation/reading/raw_row'
import { readAmount } from '#reconciliation/reading/read_amount'
import { readMoment } from '#reconciliation/reading/read_moment'

export interface FoundHeader {
  /** The line of the header in the file. */
  line: number
  /** Text of each column's header, empty where there is none. */
  headers: string[]
  /** What stood above it: titles, the period, the parties. */
  titles: string[]
  /** How many columns speak a language that we know. */
  knownColumns: number
}

/** Titles of 1C stand on up to eleven rows above a header. */
const ROWS_ABOVE_AT_MOST = 30
const ENOUGH_KNOWN = 2

/** The row that names the columns, among the first rows of a file. Null when none does. */
export function findHeader(rows: readonly RawRow[]): FoundHeader | null {
  let best: { index: number; score: number } | null = null
  for (const [index, row] of rows.slice(0, ROWS_ABOVE_AT_MOST).entries()) {
    const score = scoreOf(row, rows[index + 1])
    if (score !== null && (best === null || score > best.score)) best = { index, score }
  }
  return best && foundAt(rows, best.index)
}

/** Null for a row that cannot be a header: it holds values, or says hardly anything. */
function scoreOf(row: RawRow, next: RawRow | undefined): number | null {
  const filled = row.cells.filter((cell) => !isBlank(cell))
  const distinct = new Set(filled.map((cell) => normaliseHeader(cellText(cell))))
  const values = filled.filter(isValue).length
  if (distinct.size < 2 || values * 3 > filled.length) return null
  const fields = knownFields(row.cells)
  if (fields < ENOUGH_KNOWN) return null
  const valuesBelow = next?.cells.some(isValue) ? 1 : 0
  return fields * 2 + valuesBelow - values * 2
}

const knownFields = (cells: readonly RawCell[]) => {
  const meanings = cells.map((cell) => meaningOfHeader(cellText(cell))?.field)
  const fields = new Set(meanings.filter((field) => field !== undefined && field !== 'other'))
  return fields.size + (meanings.includes('other') ? 0.5 : 0)
}

/** An amount or a moment: what stands under headers and not in them. */
const isValue = (cell: RawCell) => readAmount(cell).isRead || readMoment(cell).isRead

function foundAt(rows: readonly RawRow[], index: number): FoundHeader {
  const { line, cells } = rows[index]
  const above = rows[index - 1]?.cells ?? []
  const headers = cells.map((cell, column) =>
    isBlank(cell) && isUnder(above, column) ? cellText(above[column]) : cellText(cell)
  )
  const titles = rows.slice(0, index).flatMap((row) => [...new Set(row.cells.map(cellText))])
  const knownColumns = headers.filter((text) => meaningOfHeader(text) !== null).length
  return { line, headers, titles: titles.filter((text) => text !== ''), knownColumns }
}

/** A header that was merged over two rows stands in the upper one. */
const isUnder = (above: readonly RawCell[], column: number) =>
  meaningOfHeader(cellText(above[column])) !== null
