const MIN_DIGITS = 6

/** `<PLATFORM>-TKT-000042`: at least six digits, more after 999999, never wrapping (completions, Shapes). */
export const ticketNumber = (prefix: string, n: bigint) =>
  `${prefix}-TKT-${String(n).padStart(MIN_DIGITS, '0')}`
