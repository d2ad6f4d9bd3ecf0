import type { AmountContent, Unit } from '#reconciliation/reading/read_amount'
import type { KnownWords, RowContent } from '#reconciliation/reading/read_kind'

/** How a source writes its rows; decided once for all of them. */
export interface RowReading {
  words: KnownWords
  rowsShow: RowContent
  amountsAre: AmountContent
  unit: Unit
  /** Whether the header of the amounts names another currency. */
  isOtherCurrency: boolean
  /** No money can have moved before or after. */
  possible: { from: Date; to: Date } | null
}

export const PLAIN_READING: RowReading = {
  words: {},
  rowsShow: 'operations',
  amountsAre: 'gross',
  unit: 'tenge',
  isOtherCurrency: false,
  possible: null,
}
