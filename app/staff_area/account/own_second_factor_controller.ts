import type { ServerProps } from '#staff_area/page_props'
import type { SecondFactorPage } from '#staff_area/account/account_props'
import {
  confirmationValidator,
  secondFactorValidator,
} from '#staff_area/account/account_validators'
import { enrolment } from '#staff_area/account/enrolment'
import { limitGuesses } from '#staff_area/account/own_password_tries'
import { ownSessionId } from '#staff_area/sign_in/staff_session'
import { redirectWithNotice } from '#staff_area/redirect_with_notice'
import { flashSecret } from '#staff_area/flash_secret'
import DropSecondFactor from '#staff/actions/drop_second_factor'
import SetSecondFactor from '#staff/actions/set_second_factor'
import { needsSecondFactor } from '#staff/second_factor'
import type { HttpContext } from '@adonisjs/core/http'

export default class OwnSecondFactorController {
  async edit(ctx: HttpContext) {
    const { hasSecondFactor, role } = ctx.auth.use('staff').getUserOrFail()
    const { secret, qr } = await enrolment(ctx).show()
    ctx.inertia.encryptHistory()
    const isForced = needsSecondFactor(role) && !hasSecondFactor
    return ctx.inertia.render('account/second_factor', {
      isForced,
      hasSecondFactor,
      secret,
      qr,
    } satisfies ServerProps<SecondFactorPage>)
  }

  async update(ctx: HttpContext) {
    const input = await ctx.request.validateUsing(secondFactorValidator)
    const { id } = ctx.auth.use('staff').getUserOrFail()
    const pending = enrolment(ctx)
    const asked = { ...input, id, secret: pending.secret, sessionId: ownSessionId(ctx) }
    const codes = await limitGuesses(ctx, () =>
      new SetSecondFactor().handle({ ...asked, actor: ctx.actor })
    )
    pending.end()
    flashSecret(ctx, codes)
    return ctx.response.redirect().toRoute('back_office.account.recovery_codes')
  }

  async destroy(ctx: HttpContext) {
    const { currentPassword } = await ctx.request.validateUsing(confirmationValidator)
    const { id } = ctx.auth.use('staff').getUserOrFail()
    const { actor } = ctx
    await limitGuesses(ctx, () => new DropSecondFactor().handle({ id, currentPassword, actor }))
    return redirectWithNotice(ctx, 'account.second_factor_dropped')
  }
}
