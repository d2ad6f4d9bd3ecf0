import { createHash } from 'node:crypto'

export type CanonicalValue =
  | string
  | number
  | bigint
  | boolean
  | Date
  | null
  | readonly CanonicalValue[]
  | { readonly [key: string]: CanonicalValue | undefined }

/**
 * Canonical JSON: a row as JSON that is always the same for the same values: keys sorted, money as decimal text, instants in ISO 8601
 * and UTC, absent keys left out. Throws for what JSON would quietly turn into null.
 *
 * Example: { total: 12000n, at: 2026-11-05 10:00 UTC, seats: ['A1'], note: undefined }
 * is {"at":"2026-11-05T10:00:00.000Z","seats":["A1"],"total":"12000"}
 */
export function canonicalLine(row: CanonicalValue): string {
  if (row === null || typeof row === 'boolean' || typeof row === 'string')
    return JSON.stringify(row)
  if (typeof row === 'bigint') return `"${row}"`
  if (typeof row === 'number') return canonicalNumber(row)
  // An invalid date throws here by itself.
  if (row instanceof Date) return `"${row.toISOString()}"`
  if (isList(row)) return `[${row.map(canonicalLine).join(',')}]`
  return canonicalObject(row)
}

const MAX_BUFFERED = 32_768

/** SHA-256 over rows in their order; each line ends with a line feed, as in a JSONL file. */
export class DataHash {
  #hash = createHash('sha256')
  #count = 0
  /** Rows are hashed in batches, because each call of the hash is expensive. */
  #buffer = ''

  get count() {
    return this.#count
  }

  /** Adds a row and gives back its line, without the line feed. */
  add(row: CanonicalValue): string {
    const line = canonicalLine(row)
    this.addLine(line)
    return line
  }

  /** Adds a row that is already a canonical line. */
  addLine(line: string) {
    this.#buffer += `${line}\n`
    this.#count += 1
    if (this.#buffer.length > MAX_BUFFERED) this.#flush()
  }

  /** In hexadecimal. May be asked for at any time. */
  get sha256() {
    this.#flush()
    return this.#hash.copy().digest('hex')
  }

  #flush() {
    this.#hash.update(this.#buffer)
    this.#buffer = ''
  }
}

/** `canonicalLine` for objects with known keys, sorted once by `fieldsOf`; absent values become null. */
export const canonicalFields = (fields: readonly CanonicalField[], row: CanonicalRow) => {
  let line = '{'
  for (const { start, key } of fields) line += start + canonicalLine(row[key] ?? null)
  return `${line}}`
}

export type CanonicalRow = { readonly [key: string]: CanonicalValue | undefined }
export interface CanonicalField {
  key: string
  start: string
}

export const fieldsOf = (keys: readonly string[]): CanonicalField[] =>
  keys
    .toSorted()
    .map((key, at) => ({ key, start: `${at === 0 ? '' : ','}${JSON.stringify(key)}:` }))

function canonicalNumber(value: number) {
  if (!Number.isFinite(value)) throw new RangeError(`${value} has no place in JSON`)
  return JSON.stringify(value)
}

function canonicalObject(row: { readonly [key: string]: CanonicalValue | undefined }) {
  const parts: string[] = []
  for (const key of Object.keys(row).sort()) {
    const value = row[key]
    if (value !== undefined) parts.push(`${JSON.stringify(key)}:${canonicalLine(value)}`)
  }
  return `{${parts.join(',')}}`
}

function isList(row: object): row is readonly CanonicalValue[] {
  return Array.isArray(row)
}
