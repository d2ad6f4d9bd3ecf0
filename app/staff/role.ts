export const ROLES = ['admin', 'operations', 'support', 'finance', 'gate', 'auditor'] as const
export type Role = (typeof ROLES)[number]

/**
 * Roles that never need a second factor. All others act on money, orders and events, or read buyers' e-mails. Gate staff
 * only scan, often on shared phones.
 */
export const WITHOUT_SECOND_FACTOR: readonly Role[] = ['gate']
