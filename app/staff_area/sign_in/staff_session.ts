import { browserName } from '#staff_area/sign_in/browser_name'
import type { Staff } from '#staff/queries/find_staff'
import { findOpenSession } from '#staff/queries/staff_sessions'
import { beginSession, endSession, touchSession } from '#staff/sessions'
import { clearFailuresOfNetwork } from '#staff/sign_in_failures'
import { addressGroup } from '#shared/addresses'
import { record } from '#shared/journal'
import { transaction } from '#shared/transaction'
import type { HttpContext } from '@adonisjs/core/http'

const KEY = 'staffSession'

export const ownSessionId = ({ session }: HttpContext) => String(session.get(KEY))

/** Loads the signed-in person, unless the session was ended from elsewhere. Runs on every request. */
export async function loadStaffSession({ auth, request, session }: HttpContext) {
  const guard = auth.use('staff')
  if (!(await guard.check())) return
  const id = session.get(KEY) as string | undefined
  const open = id && (await findOpenSession.first({ id, staffId: guard.getUserOrFail().id }))
  if (!open) return guard.logout()
  if (open.isStale) await touchSession({ id, address: request.ip() })
}

/** Opens the session after all steps of signing in. */
export async function openStaffSession(ctx: HttpContext, staff: Staff) {
  const { auth, request, requestId, response, session } = ctx
  await auth.use('staff').login(staff)
  const actor = { kind: 'staff', name: staff.email, requestId } as const
  const id = await transaction(async (trx) => {
    const browser = browserName(request.header('user-agent'))
    const begun = await beginSession.one({ staffId: staff.id, address: request.ip(), browser }, trx)
    await clearFailuresOfNetwork({ staffId: staff.id, network: addressGroup(request.ip()) }, trx)
    await record('staff_signed_in', { address: request.ip() }, { actor }, trx)
    return begun.id
  })
  session.put(KEY, id)
  return response.redirect().toIntendedRoute('back_office.overview')
}

export async function closeStaffSession(ctx: HttpContext) {
  const { actor, auth, inertia, request, session } = ctx
  await transaction(async (trx) => {
    await endSession({ id: ownSessionId(ctx) }, trx)
    await record('staff_signed_out', { address: request.ip() }, { actor }, trx)
  })
  await auth.use('staff').logout()
  session.clear()
  session.regenerate()
  inertia.clearHistory()
}
