import type { Ability } from '#staff_area/permissions'
import type { Role } from '#staff/role'

/** The filters in the address of the list. */
export const STAFF_FILTERS = ['q', 'role', 'status'] as const
export type StaffFilters = Record<(typeof STAFF_FILTERS)[number], string | null>

/** What prevents a person from signing in now, although their account is active; times in the past are null. */
export interface SignInState {
  /** Recent wrong passwords and codes. */
  failures: number
  networks: number
  /** The latest end of a block of a network. */
  blockedUntil: string | null
  /** Until then networks that the person never signed in from are slowed down. */
  slowedUntil: string | null
  factorLockedAt: string | null
}

export interface StaffLine {
  id: number
  email: string
  name: string
  role: Role
  status: 'active' | 'invited' | 'disabled'
  hasSecondFactor: boolean
  lastSeenAt: string | null
  createdAt: string
  signIn: SignInState
}

export interface StaffListPage {
  filters: StaffFilters
  people: StaffLine[]
  roles: Role[]
}

export interface NewStaffPage {
  roles: Role[]
}

export interface StaffMember extends StaffLine {
  disabledAt: string | null
  passwordSetAt: string
  secondFactorSetAt: string | null
  openSessions: number
  /** Wrong codes since the last right one. */
  wrongCodes: number
}

/** A network from which somebody typed wrong passwords or codes. */
export interface FailedNetwork {
  network: string
  failures: number
  lastAt: string
  blockedUntil: string | null
}

/** The roles that have an ability. */
export interface Right {
  ability: Ability
  roles: Role[]
}

export interface StaffPage {
  member: StaffMember
  failedNetworks: FailedNetwork[]
  mostWrongCodes: number
  /** A new password, shown once. */
  temporaryPassword: string | null
  isSelf: boolean
  roles: Role[]
  rights: Right[]
}

export interface RightsPage {
  rights: Right[]
  roles: Role[]
}
