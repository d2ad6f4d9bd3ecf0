const MIN_DIGITS = 6

/** `<PLATFORM>-TKT-000042`: at least six digits, more after 999999, never wrapping (completions, Shapes). */
export const ticketNumber = (prefix: string, n: bigint) =>
  `${prefix}-TKT-${String(n).padStart(MIN_DIGITS, '0')}`

const MAX_DIGITS = 15

/** A typed number in full form: given whole, in any case, or as its digits only. Null for anything else. */
export function readTicketNumber(prefix: string, typed: string): string | null {
  const text = typed.replaceAll(/\s/g, '').toUpperCase()
  const [, digits = null] = new RegExp(`^(?:${prefix}-?TKT-?)?0*([0-9]+)$`).exec(text) ?? []
  return digits && digits.length <= MAX_DIGITS ? ticketNumber(prefix, BigInt(digits)) : null
}
