import type { MomentProblem } from '#spreadsheets/read_moment'
import type { ValueReading } from '#spreadsheets/value_reading'

export type ValueProblem =
  | 'AMOUNT_MISSING'
  | 'AMOUNT_UNREADABLE'
  | 'AMOUNT_HAS_FRACTION'
  | 'AMOUNT_OTHER_CURRENCY'
  | 'AMOUNT_TOO_LARGE'
  | 'AMOUNT_AMBIGUOUS'
  | 'AMOUNT_IN_TIYN'
  | 'FEE_UNKNOWN'
  | MomentProblem
  | 'ID_UNREADABLE'
  | 'RETURNED_UNKNOWN'
  | 'KIND_UNKNOWN'
  | 'KIND_AGAINST_SIGN'
  | 'NOTHING_TO_MATCH_BY'

export type Reading<T> = ValueReading<T, ValueProblem>
