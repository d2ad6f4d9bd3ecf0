import type { ServerProps } from '#staff_area/page_props'
import type { AccountPage, Security } from '#staff_area/account/account_props'
import { ownSessionId } from '#staff_area/sign_in/staff_session'
import { statement } from '#shared/statement'
import { needsSecondFactor } from '#staff/second_factor'
import { listOpenSessions } from '#staff/queries/staff_sessions'
import type { HttpContext } from '@adonisjs/core/http'

const readSecurity = statement<Security, { staffId: number }>(
  'back_office_own_security',
  `SELECT password_set_at AS "passwordSetAt", totp_set_at AS "secondFactorSetAt",
          (SELECT count(*)::int FROM staff_recovery_codes WHERE staff_id = :staffId AND used_at IS NULL)
            AS "recoveryCodesLeft"
     FROM staff WHERE id = :staffId`
)

/** A person's sign-in settings and open sessions. */
export default class AccountController {
  async show(ctx: HttpContext) {
    const { id, role } = ctx.auth.use('staff').getUserOrFail()
    const [security, sessions] = await Promise.all([
      readSecurity.one({ staffId: id }),
      listOpenSessions({ id }),
    ])
    return ctx.inertia.render('account/show', {
      security: { ...security, needsSecondFactor: needsSecondFactor(role) },
      sessions,
      ownSession: ownSessionId(ctx),
    } satisfies ServerProps<AccountPage>)
  }
}
