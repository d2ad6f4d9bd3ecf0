export const ROLES = ['admin', 'operations', 'support', 'finance', 'gate', 'auditor'] as const
export type Role = (typeof ROLES)[number]

/** They can move money or give rights: a password alone is not enough where a deployment says so. */
export const NEED_SECOND_FACTOR: readonly Role[] = ['admin', 'finance']
