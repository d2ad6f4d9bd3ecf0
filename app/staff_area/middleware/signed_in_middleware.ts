import { answerSignedOut, isRequestOfOpenPage } from '#http/signed_out'
import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'

/** Without a session an open page is answered 401; everybody else goes to the sign-in, and to the wanted page afterwards. */
export default class SignedInMiddleware {
  async handle(ctx: HttpContext, next: NextFn) {
    const staff = ctx.auth.use('staff').user
    if (!staff) {
      if (isRequestOfOpenPage(ctx)) return answerSignedOut(ctx)
      // Flashed messages for this page appear at the sign-in.
      ctx.session.reflash()
      return ctx.response.redirect().withIntendedUrl().toRoute('back_office.sign_in')
    }
    ctx.caller = `staff:${staff.id}`
    ctx.actor = { kind: 'staff', name: staff.email, requestId: ctx.requestId }
    return next()
  }
}
