import platform from '#config/platform'
import { WITHOUT_SECOND_FACTOR, type Role } from '#staff/role'
import encryption from '@adonisjs/core/services/encryption'
import { Secret, TOTP } from 'otpauth'

const SECRET_BYTES = 20
const STEP_SECONDS = 30
/** Steps before and after now: phones' clocks differ. */
const WINDOW = 1

/** After so many wrong codes in total since the last right one, none counts until an administrator unlocks it. */
export const MOST_WRONG_CODES = 50

/** Whether this role has to have one here. */
export const needsSecondFactor = (role: Role) =>
  platform.requiresSecondFactor && !WITHOUT_SECOND_FACTOR.includes(role)

export const newTotpSecret = () => new Secret({ size: SECRET_BYTES }).base32

const totp = (secret: string, label = '') =>
  new TOTP({
    issuer: 'Ticket partners',
    label,
    algorithm: 'SHA1',
    digits: 6,
    period: STEP_SECONDS,
    secret: Secret.fromBase32(secret),
  })

/** What an authenticator reads from the QR code. */
export const enrolmentUri = (secret: string, email: string) => totp(secret, email).toString()

/** The 30-second step that a code is of, or null when it's of none near now (RFC 6238). */
export function stepOf(secret: string, code: string): number | null {
  const delta = totp(secret).validate({ token: code, window: WINDOW })
  return delta === null ? null : Math.floor(Date.now() / 1000 / STEP_SECONDS) + delta
}

const purposeOf = (staffId: number) => `staff-totp:${staffId}`

export const encryptTotpSecret = (staffId: number, secret: string) =>
  encryption.encrypt(secret, { purpose: purposeOf(staffId) })

export const openTotpSecret = (staffId: number, encrypted: string) =>
  encryption.decrypt<string>(encrypted, purposeOf(staffId))
