import type { ServerProps } from '#staff_area/page_props'
import type { RecoveryCodesPage } from '#staff_area/account/account_props'
import { confirmationValidator } from '#staff_area/account/account_validators'
import { limitGuesses } from '#staff_area/account/own_password_tries'
import { flashSecret, takeFlashedSecret } from '#staff_area/flash_secret'
import RenewRecoveryCodes from '#staff/actions/renew_recovery_codes'
import type { HttpContext } from '@adonisjs/core/http'

export default class RecoveryCodesController {
  /** Shows the codes once, right after they were made. */
  async show(ctx: HttpContext) {
    const codes = takeFlashedSecret<string[]>(ctx)
    if (!codes) return ctx.response.redirect().toRoute('back_office.account.show')
    return ctx.inertia.render('account/recovery_codes', {
      codes,
    } satisfies ServerProps<RecoveryCodesPage>)
  }

  async store(ctx: HttpContext) {
    const { currentPassword } = await ctx.request.validateUsing(confirmationValidator)
    const { id } = ctx.auth.use('staff').getUserOrFail()
    const { actor } = ctx
    const codes = await limitGuesses(ctx, () =>
      new RenewRecoveryCodes().handle({ id, currentPassword, actor })
    )
    flashSecret(ctx, codes)
    return ctx.response.redirect().toRoute('back_office.account.recovery_codes')
  }
}
