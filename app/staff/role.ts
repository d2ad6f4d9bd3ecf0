export const ROLES = ['admin', 'operations', 'support', 'finance', 'gate', 'auditor'] as const
export type Role = (typeof ROLES)[number]

/**
 * Everybody else acts on money, orders and events, or reads every buyer's e-mail: a password alone is not enough where
 * a deployment says so. People at the gate only scan, on phones that go from hand to hand, often without an own one.
 */
export const WITHOUT_SECOND_FACTOR: readonly Role[] = ['gate']
