import { ROLES, type Role } from '#staff/role'

/** area.act → who may, beside administrators, who may everything. Reading is an act as well; the only place that says so. */
// prettier-ignore
const MAY = {
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
  'webhooks.read':     ['operations', 'support', 'auditor'],
  'webhooks.manage':   ['operations'],
  'jobs.read':         ['operations', 'auditor'],
  'jobs.manage':       ['operations'],
  'staff.read':        ['auditor'],
  'staff.manage':      [],
  'settlement.read':   ['finance', 'auditor'],
  'settlement.manage': ['finance'],
  'gate.scan':         ['operations', 'gate'],
  'gate.manage':       ['operations'],
} as const satisfies Record<string, readonly Role[]>

export type Ability = keyof typeof MAY
export const ABILITIES = Object.keys(MAY) as Ability[]

export const may = (role: Role, ability: Ability) =>
  role === 'admin' || (MAY[ability] as readonly Role[]).includes(role)

/** Whom to ask for what one may not. */
export const rolesThatMay = (ability: Ability) => ROLES.filter((role) => may(role, ability))

/** The whole table, as people read it. */
export const RIGHTS = ABILITIES.map((ability) => ({ ability, roles: rolesThatMay(ability) }))
