import { findStaffByEmail, type Staff } from '#staff/queries/find_staff'
import { rehashPassword } from '#staff/rehash_password'
import hash from '@adonisjs/core/services/hash'
import { randomBytes } from 'node:crypto'

let decoy: Promise<string> | undefined

/**
 * The person with this e-mail and password, or null.
 * An unknown or disabled e-mail costs the same hashing, so that response times do not reveal who works here.
 */
export async function findBySecret(
  email: string,
  password: string
): Promise<{ staff: Staff; passwordSetAt: string } | null> {
  decoy ??= hash.make(randomBytes(16).toString('hex'))
  const [found, unknown] = await Promise.all([findStaffByEmail.first({ email }), decoy])
  const stored = found?.password ?? unknown
  const [isRight] = await Promise.all([
    hash.verify(stored, password),
    // A hash of a lower cost would be verified sooner than the decoy.
    hash.needsReHash(stored) && hash.verify(unknown, password),
  ])
  if (!found || !isRight) return null
  await rehashPassword(found, password)
  const { passwordSetAt, ...person } = found
  return { staff: withoutPassword(person), passwordSetAt }
}

function withoutPassword(person: Staff & { password?: string }): Staff {
  const staff = { ...person }
  delete staff.password
  return staff
}
