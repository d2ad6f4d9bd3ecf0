import { statement } from '#shared/statement'
import hash from '@adonisjs/core/services/hash'
import { randomBytes } from 'node:crypto'

import { ROLES } from '#staff/role'

export interface SandboxStaff {
  role: string
  email: string
  password: string
}

const upsertStaff = statement<
  object,
  { email: string; fullName: string; role: string; password: string }
>(
  'sandbox_staff',
  `INSERT INTO staff (email, full_name, role, password) VALUES (:email, :fullName, :role, :password)
   ON CONFLICT (lower(email)) DO UPDATE SET password = EXCLUDED.password, disabled_at = NULL`
)

/** One person per role, and a second one of finance: settlement often takes two. */
const PEOPLE = [
  ...ROLES.map((role) => ({ role, name: role as string })),
  { role: 'finance', name: 'finance2' },
]

/** A password that the sandbox file has is kept. */
export async function seedStaff(known: SandboxStaff[]): Promise<SandboxStaff[]> {
  return Promise.all(
    PEOPLE.map(async ({ role, name }) => {
      const email = `${name}@sandbox.test`
      const kept = known.find((person) => person.email === email)?.password
      const password = kept ?? randomBytes(12).toString('base64url')
      await upsertStaff({
        email,
        fullName: `Sandbox ${name}`,
        role,
        password: await hash.make(password),
      })
      return { role, email, password }
    })
  )
}
