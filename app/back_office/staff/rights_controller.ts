import { ABILITIES, rolesThatMay } from '#back_office/permissions'
import { ROLES } from '#staff/role'
import type { HttpContext } from '@adonisjs/core/http'

/** Who may what, from the one table that decides it. */
export default class RightsController {
  async index({ inertia }: HttpContext) {
    const rights = ABILITIES.map((ability) => ({ ability, roles: rolesThatMay(ability) }))
    return inertia.render('staff/rights', { rights, roles: [...ROLES] })
  }
}
