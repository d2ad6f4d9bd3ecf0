import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'

/** Sends whoever has no session to sign in, and back to where they wanted to go afterwards. */
export default class SignedInMiddleware {
  async handle(ctx: HttpContext, next: NextFn) {
    const staff = ctx.auth.use('staff').user
    if (!staff) {
      // What this page was to be told is told at the sign-in.
      ctx.session.reflash()
      return ctx.response.redirect().withIntendedUrl().toRoute('back_office.sign_in')
    }
    ctx.caller = `staff:${staff.id}`
    ctx.actor = { kind: 'staff', name: staff.email, requestId: ctx.requestId }
    return next()
  }
}
