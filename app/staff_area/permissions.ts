import { ROLES, type Role } from '#staff/role'

/** Ability → the roles that have it; administrators have all. The only place where this is decided. */
// prettier-ignore
const ROLES_BY_ABILITY = {
  'overview.read':     ['operations', 'support', 'finance', 'auditor'],
  'journal.read':      ['operations', 'support', 'auditor'],
  'events.read':       ['operations', 'support', 'finance', 'auditor'],
  'events.manage':     ['operations'],
  'events.cancel':     ['operations'],
  'seats.manage':      ['operations'],
  'partners.read':     ['operations', 'support', 'finance', 'auditor'],
  'partners.manage':   ['operations'],
  'grants.manage':     ['operations'],
  'orders.read':       ['operations', 'support', 'finance', 'auditor'],
  'orders.refund':     ['support'],
  'buyers.erase':      [],
  'webhooks.read':     ['operations', 'support', 'auditor'],
  'webhooks.manage':   ['operations'],
  'jobs.read':         ['operations', 'auditor'],
  'jobs.manage':       ['operations'],
  'invariants.read':   ['operations', 'finance', 'auditor'],
  'invariants.run':    ['operations'],
  'staff.read':        ['auditor'],
  'staff.manage':      [],
  'cases.read':        ['operations', 'support', 'finance', 'auditor'],
  'cases.take':        ['operations', 'support', 'finance'],
  'settlement.read':   ['finance', 'auditor'],
  'settlement.export': ['finance', 'auditor'],
  'settlement.manage': ['finance'],
  'gate.scan':         ['operations', 'gate'],
  'gate.manage':       ['operations'],
} as const satisfies Record<string, readonly Role[]>

export type Ability = keyof typeof ROLES_BY_ABILITY
export const ABILITIES = Object.keys(ROLES_BY_ABILITY) as Ability[]

export const may = (role: Role, ability: Ability) =>
  role === 'admin' || (ROLES_BY_ABILITY[ability] as readonly Role[]).includes(role)

/** The roles that have an ability, for the page that misses it. */
export const rolesThatMay = (ability: Ability) => ROLES.filter((role) => may(role, ability))

/** The whole table, for the page of rights. */
export const RIGHTS = ABILITIES.map((ability) => ({ ability, roles: rolesThatMay(ability) }))
