import type { StaffSession } from '#staff/queries/staff_sessions'

export interface Security {
  passwordSetAt: string
  secondFactorSetAt: string | null
  recoveryCodesLeft: number
}

export interface AccountPage {
  security: Security & { needsSecondFactor: boolean }
  sessions: StaffSession[]
  /** The id of the session that looks at the page. */
  ownSession: string
}

export interface PasswordPage {
  /** The password is temporary and has to be changed before anything else. */
  isForced: boolean
  /** The fewest characters. */
  shortest: number
}

export interface SecondFactorPage {
  secret: string
  /** A picture as a `data:` URL. */
  qr: string
  /** The role needs a second factor, and there is none yet. */
  isForced: boolean
  hasSecondFactor: boolean
}

export interface RecoveryCodesPage {
  codes: string[]
}
