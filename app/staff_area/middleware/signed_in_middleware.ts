import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'

/** Redirects people without a session to the sign-in, and back to the wanted page afterwards. */
export default class SignedInMiddleware {
  async handle(ctx: HttpContext, next: NextFn) {
    const staff = ctx.auth.use('staff').user
    if (!staff) {
      // Flashed messages for this page appear at the sign-in.
      ctx.session.reflash()
      return ctx.response.redirect().withIntendedUrl().toRoute('back_office.sign_in')
    }
    ctx.caller = `staff:${staff.id}`
    ctx.actor = { kind: 'staff', name: staff.email, requestId: ctx.requestId }
    return next()
  }
}
