import type { RegisterField } from '#register_reading/header_words'
import type { AmountContent, Unit } from '#register_reading/read_amount'
import type { KnownWords, RegisterKind, RowContent } from '#register_reading/read_kind'

/** How a source writes its rows; decided once for all of them. */
export interface RowReading {
  words: KnownWords
  rowsShow: RowContent
  amountsAre: AmountContent
  unit: Unit
  /** The decimal signs that a column's cells show beyond doubt. */
  decimalSigns: Partial<Record<RegisterField, ReadonlySet<string>>>
  /** Whether the header of the amounts names another currency. */
  isOtherCurrency: boolean
  /** What a row is that does not say it; null for a charge. */
  unstatedKind: RegisterKind | null
  /** No money can have moved before or after. */
  possible: { from: Date; to: Date } | null
}

export const PLAIN_READING: RowReading = {
  words: {},
  rowsShow: 'operations',
  amountsAre: 'gross',
  unit: 'tenge',
  decimalSigns: {},
  isOtherCurrency: false,
  unstatedKind: null,
  possible: null,
}
