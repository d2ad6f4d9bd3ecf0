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
  valueColumns(sheet).filter(({ hashed }) => hashed !== 'never')

/** A row's data without texts that differ between languages. */
export function languageFreeFields(sheet: DataSheet) {
  const keys = languageFreeColumns(sheet).map(({ key }) => key)
  return (row: DataRow): Record<string, CanonicalValue> =>
    Object.fromEntries(keys.map((key) => [key, row[key] ?? null]))
}

/**
 * Splits each row into two canonical JSON lines: the part that a statement fixes and the part that may change later.
 *
 * Example: a ticket row with rowKey `ticketId`; `status` is changeable.
 *   { no: 1, ticketId: 't1', price: 12000, status: 'used' }
 * gives {"no":1,"price":"12000","ticketId":"t1"} as fixed and {"status":"used","ticketId":"t1"} as changeable.
 */
export class CanonicalRows {
  readonly #all: CanonicalField[]
  readonly #fixed: CanonicalField[]
  readonly #changeable: CanonicalField[]

  constructor(private readonly sheet: DataSheet) {
    const columns = languageFreeColumns(sheet)
    const fieldsWhere = (isWanted: (column: ValueColumn) => boolean) =>
      fieldsOf(columns.filter(isWanted).map(({ key }) => key))
    this.#all = fieldsWhere(() => true)
    this.#fixed = fieldsWhere(({ hashed }) => hashed === 'fixed')
    this.#changeable = fieldsWhere(
      ({ key, hashed }) => hashed === 'changeable' || key === sheet.rowKey
    )
  }

  linesOf(row: DataRow): { fixed: string | null; changeable: string | null } {
    const isFixed = this.sheet.hashed === 'fixed' && (this.sheet.isFixed?.(row) ?? true)
    if (!isFixed) return { fixed: null, changeable: canonicalFields(this.#all, row) }
    const fixed = canonicalFields(this.#fixed, row)
    const hasChangeable = this.#changeable.length > 1
    return { fixed, changeable: hasChangeable ? canonicalFields(this.#changeable, row) : null }
  }
}
