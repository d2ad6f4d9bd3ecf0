export const ROLES = ['admin', 'operations', 'support', 'finance', 'gate', 'auditor'] as const
export type Role = (typeof ROLES)[number]

export const ABILITIES = ['overview.read', 'journal.read'] as const
export type Ability = (typeof ABILITIES)[number]

/** Who may do what in the back office; the only place that says so. */
// prettier-ignore
export const PERMISSIONS: Record<Role, readonly Ability[]> = {
  admin:      ABILITIES,
  operations: ['overview.read', 'journal.read'],
  support:    ['overview.read', 'journal.read'],
  finance:    ['overview.read'],
  gate:       [],
  auditor:    ['overview.read', 'journal.read'],
}

export const may = (role: Role, ability: Ability) => PERMISSIONS[role].includes(ability)
