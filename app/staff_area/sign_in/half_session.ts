import { findStaffOfPassword, type Staff } from '#staff/queries/find_staff'
import type { HttpContext } from '@adonisjs/core/http'

const KEY = 'halfSignedIn'
const LASTS_MS = 5 * 60_000

interface Half {
  id: number
  passwordSetAt: string
  until: number
}

/** Remembers that the password was right and the second factor is pending. */
export function keepHalf(
  { session }: HttpContext,
  { staff, passwordSetAt }: { staff: Staff; passwordSetAt: string }
) {
  session.put(KEY, { id: staff.id, passwordSetAt, until: Date.now() + LASTS_MS } satisfies Half)
}

/** The person with a pending second factor; none after five minutes, or after a change of password. */
export async function findHalf({ session }: HttpContext): Promise<Staff | undefined> {
  const half = session.get(KEY) as Half | undefined
  if (!half || half.until < Date.now()) return undefined
  return findStaffOfPassword.first({ halfId: half.id, passwordSetAt: half.passwordSetAt })
}

export const forgetHalf = ({ session }: HttpContext) => session.forget(KEY)
