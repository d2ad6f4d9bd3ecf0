import { refuseField } from '#shared/refusals'
import { readableCode } from '#staff/readable_code'
import hash from '@adonisjs/core/services/hash'

export const SHORTEST_PASSWORD = 12
/** Hashing takes longer the more there is to hash. */
export const LONGEST_PASSWORD = 200

const GROUPS = 4
const GROUP = 5

/** About 99 bits, to be told once and replaced at the first sign-in. */
export function newTemporaryPassword(): string {
  return Array.from({ length: GROUPS }, () => readableCode(GROUP)).join('-')
}

/** What is easily guessed by who knows the person. */
export async function assertGoodPassword(chosen: string, email: string, present: string) {
  const [name] = email.toLowerCase().split('@')
  if (chosen.length < SHORTEST_PASSWORD)
    refuseField('password', 'minLength', 'account.password_too_short')
  if (new Set(chosen).size < SHORTEST_PASSWORD / 2 || chosen.toLowerCase().includes(name))
    refuseField('password', 'guessable', 'account.password_guessable')
  if (await hash.verify(present, chosen)) refuseField('password', 'same', 'account.password_same')
}
