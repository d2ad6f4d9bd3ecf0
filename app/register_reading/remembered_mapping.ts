import {
  normaliseHeader,
  REGISTER_FIELDS,
  type RegisterField,
} from '#register_reading/header_words'
import type { ColumnMapping } from '#register_reading/register_table'

/**
 * The mapping of an earlier file, found again by the texts of its headers.
 *
 * Example: remembered are partnerOrderId = `Order` and amount = `Total`, of a file with Order, Total, Note.
 *   No | Order | Total       applied: columns 1 and 2, counted from 0; `No` is new in this file
 *   Order | Total | Total    not applied: `Total` is there twice
 */
export interface RememberedMapping {
  mapping: ColumnMapping
  /** All headers of the earlier file. */
  headers: readonly string[]
}

/** Why a remembered mapping does not fit a file. */
export interface RememberedRefusal {
  missingHeaders: string[]
  repeatedHeaders: string[]
}

type Applied =
  | {
      isApplied: true
      columns: { field: RegisterField; column: number }[]
      /** Columns whose headers the earlier file had not. */
      newColumns: number[]
    }
  | { isApplied: false; refusal: RememberedRefusal }

/** Finds the columns of a remembered mapping; every header must be there exactly once. */
export function applyRemembered(
  { mapping, headers: earlier }: RememberedMapping,
  headers: readonly string[]
): Applied {
  const places = new Map<string, number[]>()
  for (const [column, header] of headers.entries()) {
    const key = normaliseHeader(header)
    places.set(key, [...(places.get(key) ?? []), column])
  }
  const columns: { field: RegisterField; column: number }[] = []
  const refusal: RememberedRefusal = { missingHeaders: [], repeatedHeaders: [] }
  for (const field of REGISTER_FIELDS) {
    const header = earlier[mapping[field] ?? -1]
    if (!header) continue
    const found = places.get(normaliseHeader(header)) ?? []
    if (found.length === 1) columns.push({ field, column: found[0] })
    else (found.length ? refusal.repeatedHeaders : refusal.missingHeaders).push(header)
  }
  const isApplied = refusal.missingHeaders.length + refusal.repeatedHeaders.length === 0
  if (!isApplied) return { isApplied, refusal }
  const known = new Set(earlier.map(normaliseHeader))
  const newColumns = [...headers.keys()].filter(
    (column) => !known.has(normaliseHeader(headers[column]))
  )
  return { isApplied, columns, newColumns }
}

/** Whether a mapping can be found again: at least one of its columns has a header. */
export const isRemembered = ({ mapping, headers }: RememberedMapping) =>
  Object.values(mapping).some((column) => headers[column])
