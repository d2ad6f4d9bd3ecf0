import { clearBudgets } from '#staff_area/sign_in/sign_in_budget'
import { reasonValidator } from '#back_office/staff/staff_validators'
import { redirectWithNotice } from '#staff_area/redirect_with_notice'
import { addressGroup } from '#shared/addresses'
import UnlockSignIn from '#staff/actions/unlock_sign_in'
import { listKnownAddresses } from '#staff/queries/staff_sessions'
import type { HttpContext } from '@adonisjs/core/http'

/** Removes blocks and slow-downs of a person's sign-in. */
export default class SignInLocksController {
  async destroy(ctx: HttpContext) {
    const { reason } = await ctx.request.validateUsing(reasonValidator)
    const id = Number(ctx.params.id)
    const { email, networks } = await new UnlockSignIn().handle({ id, reason, actor: ctx.actor })
    // A wrong own password in an open session blocks too, without being a failed sign-in.
    const known = await listKnownAddresses({ email: null, accountId: id })
    const everywhere = new Set([...networks, ...known.map(({ address }) => addressGroup(address))])
    await clearBudgets({ id, email }, [...everywhere])
    return redirectWithNotice(ctx, 'staff.unlocked_done')
  }
}
