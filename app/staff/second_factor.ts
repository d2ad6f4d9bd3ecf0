import platform from '#config/platform'
import { WITHOUT_SECOND_FACTOR, type Role } from '#staff/role'
import encryption from '@adonisjs/core/services/encryption'
import { Secret, TOTP } from 'otpauth'

const SECRET_BYTES = 20
const STEP_SECONDS = 30
/** Accepted steps before and after the current one, because clocks of phones differ. */
const WINDOW_STEPS = 1

/** After this many wrong codes since the last right one, no code is accepted until an administrator unlocks the account. */
export const MOST_WRONG_CODES = 50

/** Whether this deployment requires a second factor of the role. */
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

/** The URI in the QR code that an authenticator reads. */
export const enrolmentUri = (secret: string, email: string) => totp(secret, email).toString()

/**
 * Time-based one-time password (RFC 6238): the 30-second step of a code, or null when it belongs to no step near now.
 *
 *     code 287082 of step 1 (RFC 6238, appendix B)    at 0 to 89 seconds     1: clocks may differ by a step
 *                                                     at 90 seconds          null
 */
export function stepOf(secret: string, code: string): number | null {
  const delta = totp(secret).validate({ token: code, window: WINDOW_STEPS })
  return delta === null ? null : Math.floor(Date.now() / 1000 / STEP_SECONDS) + delta
}

/** What a secret is encrypted for, so that it opens for its own person only. */
export const totpPurpose = (staffId: number) => `staff-totp:${staffId}`

export const encryptTotpSecret = (staffId: number, secret: string) =>
  encryption.encrypt(secret, { purpose: totpPurpose(staffId) })

export const openTotpSecret = (staffId: number, encrypted: string) =>
  encryption.decrypt<string>(encrypted, totpPurpose(staffId))
