import { findStaffOfPassword, type Staff } from '#staff/queries/find_staff'
import type { HttpContext } from '@adonisjs/core/http'

const KEY = 'halfSignedIn'
const LASTS_MS = 5 * 60_000

interface Half {
  id: number
  passwordSetAt: string
  until: number
}

/** The password was right, the second factor is still to come. */
export function keepHalf(
  { session }: HttpContext,
  { staff, passwordSetAt }: { staff: Staff; passwordSetAt: string }
) {
  session.put(KEY, { id: staff.id, passwordSetAt, until: Date.now() + LASTS_MS } satisfies Half)
}

/** Who is half signed in; nobody after five minutes, or once the password is another one. */
export async function findHalf({ session }: HttpContext): Promise<Staff | undefined> {
  const half = session.get(KEY) as Half | undefined
  if (!half || half.until < Date.now()) return undefined
  return findStaffOfPassword.first({ halfId: half.id, passwordSetAt: half.passwordSetAt })
}

export const forgetHalf = ({ session }: HttpContext) => session.forget(KEY)
