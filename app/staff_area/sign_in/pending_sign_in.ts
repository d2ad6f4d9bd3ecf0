import { findStaffOfPassword, type Staff } from '#staff/queries/find_staff'
import { MINUTE_MS } from '#shared/days'
import type { HttpContext } from '@adonisjs/core/http'

const KEY = 'pendingSignIn'
const LASTS_MS = 5 * MINUTE_MS

interface PendingSignIn {
  id: number
  passwordSetAt: string
  until: number
}

/** Remembers that the password was right and the second factor is pending, in a session with a new id. */
export function rememberPendingSignIn(
  { session }: HttpContext,
  { staff, passwordSetAt }: { staff: Staff; passwordSetAt: string }
) {
  session.regenerate()
  session.put(KEY, {
    id: staff.id,
    passwordSetAt,
    until: Date.now() + LASTS_MS,
  } satisfies PendingSignIn)
}

/** The person with a pending second factor; none after five minutes, or after a change of password. */
export async function findPendingSignIn({ session }: HttpContext): Promise<Staff | undefined> {
  const pending = session.get(KEY) as PendingSignIn | undefined
  if (!pending || pending.until < Date.now()) return undefined
  return findStaffOfPassword.first({ halfId: pending.id, passwordSetAt: pending.passwordSetAt })
}

export const forgetPendingSignIn = ({ session }: HttpContext) => session.forget(KEY)
