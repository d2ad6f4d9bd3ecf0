import {
  solidColumns,
  type DataRow,
  type DataSheet,
  type SolidColumn,
} from '#workbooks/sheets/sheet'
import {
  canonicalFields,
  fieldsOf,
  type CanonicalField,
  type CanonicalValue,
} from '#spreadsheets/canonical'

/** Columns with data: what is only said in words differs between languages. */
const dataColumns = (sheet: DataSheet) =>
  solidColumns(sheet).filter(({ isTranslated }) => !isTranslated)

/** A row without what is only said in words: the same data in every language. */
export function dataOf(sheet: DataSheet) {
  const keys = dataColumns(sheet).map(({ key }) => key)
  return (row: DataRow): Record<string, CanonicalValue> =>
    Object.fromEntries(keys.map((key) => [key, row[key] ?? null]))
}

/** Of each row of a sheet, as canonical lines, what a statement has frozen and what may change after it. */
export class RowParts {
  readonly #all: CanonicalField[]
  readonly #frozen: CanonicalField[]
  readonly #mutable: CanonicalField[]

  constructor(private readonly sheet: DataSheet) {
    const columns = dataColumns(sheet)
    const keysOf = (isWanted: (column: SolidColumn) => boolean | undefined) =>
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
