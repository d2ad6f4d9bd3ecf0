import type { ServerProps } from '#staff_area/page_props'
import type { PasswordPage } from '#staff_area/account/account_props'
import { ownPasswordValidator } from '#staff_area/account/account_validators'
import { limitGuesses } from '#staff_area/account/own_password_tries'
import { flashNotice } from '#staff_area/redirect_with_notice'
import { ownSessionId } from '#staff_area/sign_in/staff_session'
import ChangePassword from '#staff/actions/change_password'
import { SHORTEST_PASSWORD } from '#staff/password'
import type { HttpContext } from '@adonisjs/core/http'

export default class OwnPasswordController {
  async edit({ auth, inertia }: HttpContext) {
    const { hasTemporaryPassword: isForced } = auth.use('staff').getUserOrFail()
    return inertia.render('account/password', {
      isForced,
      shortest: SHORTEST_PASSWORD,
    } satisfies ServerProps<PasswordPage>)
  }

  async update(ctx: HttpContext) {
    const input = await ctx.request.validateUsing(ownPasswordValidator)
    const { id, hasTemporaryPassword } = ctx.auth.use('staff').getUserOrFail()
    const { actor } = ctx
    await limitGuesses(ctx, () =>
      new ChangePassword().handle({ ...input, id, actor, sessionId: ownSessionId(ctx) })
    )
    flashNotice(ctx, 'account.password_changed')
    const next = hasTemporaryPassword ? 'back_office.overview' : 'back_office.account.show'
    return ctx.response.redirect().toIntendedRoute(next)
  }
}
