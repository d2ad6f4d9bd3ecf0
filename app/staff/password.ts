import { refuseField } from '#shared/refusals'
import { isCommonPassword } from '#staff/common_passwords'
import { readableCode } from '#staff/readable_code'
import hash from '@adonisjs/core/services/hash'

export const SHORTEST_PASSWORD = 12
/** Hashing a longer text takes longer. */
export const LONGEST_PASSWORD = 200

const GROUPS = 4
const GROUP = 5

/** About 99 bits; shown once and replaced at the first sign-in. */
export function newTemporaryPassword(): string {
  return Array.from({ length: GROUPS }, () => readableCode(GROUP)).join('-')
}

/** Refuses short, repetitive, common or unchanged passwords, and those that contain the name in the e-mail. */
export async function assertGoodPassword(chosen: string, email: string, current: string) {
  const [name] = email.toLowerCase().split('@')
  if (chosen.length < SHORTEST_PASSWORD)
    refuseField('password', 'minLength', 'account.password_too_short')
  if (new Set(chosen).size < SHORTEST_PASSWORD / 2 || chosen.toLowerCase().includes(name))
    refuseField('password', 'guessable', 'account.password_guessable')
  if (await isCommonPassword(chosen)) refuseField('password', 'common', 'account.password_common')
  if (await hash.verify(current, chosen)) refuseField('password', 'same', 'account.password_same')
}

/** Refuses unless the person knows their password: a session left open on a desk must not change how they sign in. */
export async function assertOwnPassword({ password }: { password: string }, given: string) {
  if (!(await hash.verify(password, given)))
    refuseField('currentPassword', 'wrong', 'account.wrong_password')
}
