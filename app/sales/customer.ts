/** The buyer as the partner sent it; personal data, never logged (contract, Customer). */
export interface Customer {
  name?: string
  email?: string
  phone?: string
}

export const CUSTOMER_FIELDS = ['name', 'email', 'phone'] as const

/** Only the contract's fields are kept; unknown ones are ignored. */
export function keepCustomer(sent: Customer | undefined): Customer | null {
  if (!sent) return null
  const kept = CUSTOMER_FIELDS.filter((field) => sent[field] !== undefined)
  return Object.fromEntries(kept.map((field) => [field, sent[field]]))
}
