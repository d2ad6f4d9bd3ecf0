import type { ServerProps } from '#staff_area/page_props'
import type { SignInPage } from '#staff_area/sign_in/sign_in_props'
import { openStaffSession, closeStaffSession } from '#staff_area/sign_in/staff_session'
import { rememberPendingSignIn } from '#staff_area/sign_in/pending_sign_in'
import { refuseSignIn, SignInBudget } from '#staff_area/sign_in/sign_in_budget'
import { findBySecret } from '#staff_area/sign_in/sign_in'
import { sessionValidator } from '#staff_area/sign_in/session_validator'
import type { HttpContext } from '@adonisjs/core/http'

export default class SessionsController {
  async create({ auth, inertia, response, session }: HttpContext) {
    if (auth.use('staff').user) return response.redirect().toRoute('back_office.overview')
    const waitMinutes = Number(session.flashMessages.get('waitMinutes', 0))
    return inertia.render('sessions/new', { waitMinutes } satisfies ServerProps<SignInPage>)
  }

  async store(ctx: HttpContext) {
    const { request, response } = ctx
    const { email, password } = await request.validateUsing(sessionValidator)
    const budget = new SignInBudget(request.ip(), 'password', { email })
    const waitSeconds = await budget.spend()
    if (waitSeconds > 0) return refuseSignIn(ctx, 'email', 'sign_in.throttled', waitSeconds)

    const found = await findBySecret(email, password)
    if (!found) {
      await budget.noteFailure()
      return refuseSignIn(ctx, 'email', 'sign_in.refused')
    }

    await budget.restore()
    if (!found.staff.hasSecondFactor) return openStaffSession(ctx, found.staff)
    rememberPendingSignIn(ctx, found)
    return response.redirect().toRoute('back_office.sign_in.code')
  }

  async destroy(ctx: HttpContext) {
    await closeStaffSession(ctx)
    return ctx.response.redirect().toRoute('back_office.sign_in')
  }
}
