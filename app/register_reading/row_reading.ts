import { PLATFORM_OFFSET_MINUTES } from '#shared/days'
import type { RegisterField } from '#register_reading/header_words'
import type { AmountContent, Unit } from '#register_reading/read_amount'
import type { KnownWords, RegisterKind, RowContent, RowMeaning } from '#register_reading/read_kind'

export const PAYMENT_ID_ORIGINS = ['shared', 'own'] as const
/** Whether the payment ids of a source are those that confirms send, or its own, as a bank's may be. */
export type PaymentIdOrigin = (typeof PAYMENT_ID_ORIGINS)[number]

/** How a source writes its rows; decided once for all of them. */
export interface RowReading {
  words: KnownWords
  rowIs: RowMeaning
  rowsShow: RowContent
  amountsAre: AmountContent
  unit: Unit
  paymentIdsAre: PaymentIdOrigin
  /** Whether its registers have all sales, and all refunds. */
  coversSales: boolean
  coversRefunds: boolean
  /** The decimal signs that a column's cells show beyond doubt. */
  decimalSigns: Partial<Record<RegisterField, ReadonlySet<string>>>
  /** Whether the header of the amounts names another currency. */
  isOtherCurrency: boolean
  /** What a row is that does not say it; null for a charge. */
  unstatedKind: RegisterKind | null
  /** The clock of moments without a zone. */
  utcOffsetMinutes: number
  /** When a day of the source begins, after midnight by its clock; negative for the evening before. */
  dayStartMinutes: number
  /** The days that the register is of. */
  days: { from: Date; to: Date } | null
  /** No money can have moved before or after. */
  possible: { from: Date; to: Date } | null
}

export const DEFAULT_READING: RowReading = {
  words: {},
  rowIs: 'payment',
  rowsShow: 'operations',
  amountsAre: 'gross',
  unit: 'tenge',
  paymentIdsAre: 'shared',
  coversSales: true,
  coversRefunds: true,
  decimalSigns: {},
  isOtherCurrency: false,
  unstatedKind: null,
  utcOffsetMinutes: PLATFORM_OFFSET_MINUTES,
  dayStartMinutes: 0,
  days: null,
  possible: null,
}
