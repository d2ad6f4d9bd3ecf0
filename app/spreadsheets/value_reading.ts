/** A value read from a cell, or why it could not be, with what was found there. */
export type ValueReading<T, Problem extends string> =
  { isRead: true; value: T } | { isRead: false; problem: Problem; found: string }

export const read = <T>(value: T) => ({ isRead: true, value }) as const

export const unread = <Problem extends string>(problem: Problem, found: string) =>
  ({ isRead: false, problem, found }) as const
