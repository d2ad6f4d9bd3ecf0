import type { ServerProps } from '#staff_area/page_props'
import type { MissingAbilityPage } from '#staff_area/shared_props'
import { may, rolesThatMay, type Ability } from '#staff_area/permissions'
import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'

/** Lets a role pass that has the ability; anybody else sees which one is missing. */
export default class AbilityMiddleware {
  async handle(ctx: HttpContext, next: NextFn, ability: Ability) {
    const { role } = ctx.auth.use('staff').getUserOrFail()
    if (may(role, ability)) return next()
    // People who work only at the gate are sent there from the front page.
    if (ability === 'overview.read' && may(role, 'gate.scan'))
      return ctx.response.redirect().toRoute('back_office.gate')
    ctx.response.status(403)
    const roles = rolesThatMay(ability)
    const page = await ctx.inertia.render('refusals/missing_ability', {
      ability,
      roles,
    } satisfies ServerProps<MissingAbilityPage>)
    return ctx.response.send(page)
  }
}
