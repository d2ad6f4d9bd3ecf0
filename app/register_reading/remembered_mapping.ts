import {
  normaliseHeader,
  REGISTER_FIELDS,
  type RegisterField,
} from '#register_reading/header_words'

/**
 * A partner's mapping of earlier registers, kept by the headers' texts.
 *
 * Example: remembered are partnerOrderId = `Order` and amount = `Total`.
 *   No | Order | Total       applied: columns 1 and 2, counted from 0
 *   Order | Total | Total    not applied: `Total` is there twice
 */

/** field → its header's text. */
export type RememberedMapping = Partial<Record<RegisterField, string>>

/** Why a remembered mapping does not fit a file. */
export interface RememberedRefusal {
  missingHeaders: string[]
  repeatedHeaders: string[]
}

type Applied =
  | { isApplied: true; columns: { field: RegisterField; column: number }[] }
  | { isApplied: false; refusal: RememberedRefusal }

/** Finds the columns of a remembered mapping; every header must be there exactly once. */
export function applyRemembered(
  remembered: RememberedMapping,
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
    const header = remembered[field]
    if (header === undefined) continue
    const found = places.get(normaliseHeader(header)) ?? []
    if (found.length === 1) columns.push({ field, column: found[0] })
    else (found.length ? refusal.repeatedHeaders : refusal.missingHeaders).push(header)
  }
  const isApplied = refusal.missingHeaders.length + refusal.repeatedHeaders.length === 0
  return isApplied ? { isApplied, columns } : { isApplied, refusal }
}

/** The mapping to remember after somebody has set it. */
export function rememberMapping(
  mapping: Partial<Record<RegisterField, number>>,
  headers: readonly string[]
): RememberedMapping {
  const named = Object.entries(mapping).filter(([, column]) => headers[column])
  return Object.fromEntries(named.map(([field, column]) => [field, headers[column]]))
}
