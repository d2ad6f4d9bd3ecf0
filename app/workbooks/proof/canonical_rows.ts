import {
  valueColumns,
  type DataRow,
  type DataSheet,
  type ValueColumn,
} from '#workbooks/sheets/sheet'
import {
  canonicalFields,
  fieldsOf,
  type CanonicalField,
  type CanonicalValue,
} from '#spreadsheets/canonical'

/** Columns with data that is the same in every language. */
const languageFreeColumns = (sheet: DataSheet) =>
  valueColumns(sheet).filter(({ isTranslated }) => !isTranslated)

/** A row's data without texts that differ between languages. */
export function languageFreeFields(sheet: DataSheet) {
  const keys = languageFreeColumns(sheet).map(({ key }) => key)
  return (row: DataRow): Record<string, CanonicalValue> =>
    Object.fromEntries(keys.map((key) => [key, row[key] ?? null]))
}

/**
 * Splits each row into two canonical JSON lines: the part that a statement fixes and the part that may change later.
 *
 * Example: a ticket row with rowKey `ticketId`; `status` is mutable.
 *   { ticketId: 't1', price: 12000, status: 'used' }
 * gives {"price":"12000","ticketId":"t1"} as frozen and {"status":"used","ticketId":"t1"} as mutable.
 */
export class CanonicalRows {
  readonly #all: CanonicalField[]
  readonly #frozen: CanonicalField[]
  readonly #mutable: CanonicalField[]

  constructor(private readonly sheet: DataSheet) {
    const columns = languageFreeColumns(sheet)
    const keysOf = (isWanted: (column: ValueColumn) => boolean | undefined) =>
      fieldsOf(columns.filter(isWanted).map(({ key }) => key))
    this.#all = keysOf(() => true)
    this.#frozen = keysOf(({ isMutable }) => !isMutable)
    this.#mutable = keysOf(({ key, isMutable }) => isMutable || key === sheet.rowKey)
  }

  linesOf(row: DataRow): { frozen: string | null; mutable: string | null } {
    const isFrozen = !this.sheet.isMutable && (this.sheet.isFrozen?.(row) ?? true)
    if (!isFrozen) return { frozen: null, mutable: canonicalFields(this.#all, row) }
    const frozen = canonicalFields(this.#frozen, row)
    const hasMutable = this.#mutable.length > 1
    return { frozen, mutable: hasMutable ? canonicalFields(this.#mutable, row) : null }
  }
}
