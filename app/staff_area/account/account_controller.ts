import type { ServerProps } from '#staff_area/page_props'
import type { AccountPage } from '#staff_area/account/account_props'
import { readSecurity } from '#staff_area/account/read_security'
import { ownSessionId } from '#staff_area/sign_in/staff_session'
import { needsSecondFactor } from '#staff/second_factor'
import { listOpenSessions } from '#staff/queries/staff_sessions'
import type { HttpContext } from '@adonisjs/core/http'

/** A person's sign-in settings and open sessions. */
export default class AccountController {
  async show(ctx: HttpContext) {
    const { id, role } = ctx.auth.use('staff').getUserOrFail()
    const [security, sessions] = await Promise.all([
      readSecurity({ staffId: id }),
      listOpenSessions({ id }),
    ])
    return ctx.inertia.render('account/show', {
      security: { ...security, needsSecondFactor: needsSecondFactor(role) },
      sessions,
      ownSession: ownSessionId(ctx),
    } satisfies ServerProps<AccountPage>)
  }
}
