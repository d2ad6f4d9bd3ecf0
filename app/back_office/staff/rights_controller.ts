import { RIGHTS } from '#staff_area/permissions'
import { ROLES } from '#staff/role'
import type { HttpContext } from '@adonisjs/core/http'

/** Who may what, from the one table that decides it. */
export default class RightsController {
  async index({ inertia }: HttpContext) {
    return inertia.render('staff/rights', { rights: RIGHTS, roles: [...ROLES] })
  }
}
