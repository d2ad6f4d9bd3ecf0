import type { ServerProps } from '#staff_area/page_props'
import type { SignInPage } from '#staff_area/sign_in/sign_in_props'
import { findPendingSignIn, forgetPendingSignIn } from '#staff_area/sign_in/pending_sign_in'
import { openStaffSession } from '#staff_area/sign_in/staff_session'
import { codeValidator } from '#staff_area/sign_in/session_validator'
import { refuseSignIn, SignInBudget } from '#staff_area/sign_in/sign_in_budget'
import PassSecondFactor from '#staff/pass_second_factor/pass_second_factor'
import type { HttpContext } from '@adonisjs/core/http'

/** The second step of signing in, for people with a second factor. */
export default class SignInCodesController {
  async create(ctx: HttpContext) {
    const staff = await findPendingSignIn(ctx)
    if (!staff) return ctx.response.redirect().toRoute('back_office.sign_in')
    const waitMinutes = Number(ctx.session.flashMessages.get('waitMinutes', 0))
    return ctx.inertia.render('sessions/code', { waitMinutes } satisfies ServerProps<SignInPage>)
  }

  async store(ctx: HttpContext) {
    const { code } = await ctx.request.validateUsing(codeValidator)
    const staff = await findPendingSignIn(ctx)
    if (!staff) return refuseSignIn(ctx, 'form', 'sign_in.half_expired')
    const budget = new SignInBudget(ctx.request.ip(), 'code', { id: staff.id })
    const waitSeconds = await budget.spend()
    if (waitSeconds > 0) return refuseSignIn(ctx, 'code', 'sign_in.throttled', waitSeconds)

    const actor = { kind: 'staff', name: staff.email, requestId: ctx.requestId } as const
    const outcome = await new PassSecondFactor().handle({ id: staff.id, code, actor })
    if (outcome !== 'passed') {
      await budget.noteFailure()
      return refuseSignIn(ctx, 'code', `sign_in.${outcome}_code`)
    }

    await budget.restore()
    forgetPendingSignIn(ctx)
    return openStaffSession(ctx, staff)
  }
}
