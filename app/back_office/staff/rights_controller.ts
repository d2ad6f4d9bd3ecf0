import type { ServerProps } from '#staff_area/page_props'
import type { RightsPage } from '#back_office/staff/staff_props'
import { RIGHTS } from '#staff_area/permissions'
import { ROLES } from '#staff/role'
import type { HttpContext } from '@adonisjs/core/http'

/** Which role has which ability, from the one table that decides it. */
export default class RightsController {
  async index({ inertia }: HttpContext) {
    return inertia.render('staff/rights', {
      rights: RIGHTS,
      roles: [...ROLES],
    } satisfies ServerProps<RightsPage>)
  }
}
