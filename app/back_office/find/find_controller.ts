import { findAnything } from '#back_office/find/find_anything'
import { NOTHING_FOUND } from '#back_office/find/find_props'
import { filtersOf } from '#staff_area/lists'
import type { HttpContext } from '@adonisjs/core/http'

export default class FindController {
  async show(ctx: HttpContext) {
    const { role } = ctx.auth.use('staff').getUserOrFail()
    const { q } = filtersOf(ctx, ['q'])
    return ctx.response.json(q ? await findAnything(q, role) : NOTHING_FOUND)
  }
}
