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
 * A row as JSON that is always the same for the same values: keys sorted, money as decimal text, instants in ISO 8601
 * and UTC, absent keys left out. Throws for what JSON would quietly turn into null.
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

const MOST_WAITING = 32_768

/** The sum of many rows, one after another: each line ends with a line feed, as in a file of them. */
export class DataHash {
  #sum = createHash('sha256')
  #count = 0
  /** Each call of the hash costs as much as a row's bytes: rows go there many at a time. */
  #waiting = ''

  get count() {
    return this.#count
  }

  /** Adds a row and gives back its line, without the line feed. */
  add(row: CanonicalValue): string {
    const line = canonicalLine(row)
    this.addLine(line)
    return line
  }

  /** Adds a row that is such a line already. */
  addLine(line: string) {
    this.#waiting += `${line}\n`
    this.#count += 1
    if (this.#waiting.length > MOST_WAITING) this.#flush()
  }

  /** In hexadecimal. May be asked for at any time. */
  get sha256() {
    this.#flush()
    return this.#sum.copy().digest('hex')
  }

  #flush() {
    this.#sum.update(this.#waiting)
    this.#waiting = ''
  }
}

/** The same of an object whose keys are known and sorted beforehand: each value goes behind its key, nothing is left out. */
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
