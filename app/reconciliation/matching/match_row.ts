import type { ParsedRow } from '#register_reading/parse_row'

/** A row as it is matched: without its cells, and with its moment in milliseconds, which take less memory than a `Date`. */
export interface MatchRow extends Omit<ParsedRow, 'raw' | 'at'> {
  at: number | null
}
