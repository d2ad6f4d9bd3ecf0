export type ValueProblem =
  | 'AMOUNT_MISSING'
  | 'AMOUNT_UNREADABLE'
  | 'AMOUNT_HAS_FRACTION'
  | 'AMOUNT_OTHER_CURRENCY'
  | 'AMOUNT_TOO_LARGE'
  | 'MOMENT_UNREADABLE'
  | 'MOMENT_NOT_REAL'
  | 'MOMENT_OUT_OF_RANGE'
  | 'MOMENT_AMBIGUOUS'
  | 'ID_UNREADABLE'
  | 'KIND_UNKNOWN'
  | 'KIND_AGAINST_SIGN'
  | 'NOTHING_TO_MATCH_BY'

/** A value read from a cell, or why it could not be, with what was found there. */
export type Reading<T> =
  { isRead: true; value: T } | { isRead: false; problem: ValueProblem; found: string }

export const read = <T>(value: T): Reading<T> => ({ isRead: true, value })

export const unread = (problem: ValueProblem, found: string): Reading<never> => ({
  isRead: false,
  problem,
  found,
})
