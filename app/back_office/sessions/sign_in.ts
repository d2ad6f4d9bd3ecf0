import { findStaffByEmail, type Staff } from '#back_office/staff/staff'
import hash from '@adonisjs/core/services/hash'
import { randomBytes } from 'node:crypto'

let decoy: Promise<string> | undefined

/**
 * The person with this e-mail and password, or null.
 * An unknown or disabled e-mail costs the same hashing, so that time does not tell who works here.
 */
export async function findBySecret(email: string, password: string): Promise<Staff | null> {
  decoy ??= hash.make(randomBytes(16).toString('hex'))
  const [found, unknown] = await Promise.all([findStaffByEmail.first([email]), decoy])
  const isRight = await hash.verify(found?.password ?? unknown, password)
  return found && isRight ? withoutPassword(found) : null
}

function withoutPassword({ id, email, name, role, language }: Staff): Staff {
  return { id, email, name, role, language }
}
